"""`python -m balance` is the command `balance`."""

from balance.cli.main import run

if __name__ == "__main__":
    run()
