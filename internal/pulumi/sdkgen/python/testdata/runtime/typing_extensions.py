try:
    from typing import NotRequired, TypedDict
except ImportError:
    from typing import Optional as NotRequired, TypedDict
