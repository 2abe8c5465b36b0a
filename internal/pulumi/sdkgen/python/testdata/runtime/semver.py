class VersionInfo:
    @classmethod
    def parse(cls, text):
        return text
