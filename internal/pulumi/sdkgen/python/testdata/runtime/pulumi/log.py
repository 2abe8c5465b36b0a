said = []


def warn(message):
    said.append(message)
