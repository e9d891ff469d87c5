"""Arena: a tournament and bot-arena harness."""

__version__ = "0.1.0"
