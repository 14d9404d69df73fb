"""`python -m agentinitd`, for those whose PATH does not hold the console script."""

from agentinitd.cli.main import main

if __name__ == "__main__":
    main()
