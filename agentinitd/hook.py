"""The door that an agent's hooks come in by: `python -I -S hook.py AGENT`, or the script `agentinitd-hook`.

Python compiles the file it is started with anew each time, and keeps a compiled copy of what that file loads:
with the client next door a hook is done a third sooner.  It is found by its place, not through the package.
"""

import sys


def main() -> None:
    """Exit code 0 and nothing on stderr, whatever is broken: the agent must not suffer for us."""
    try:
        sys.path.insert(0, __file__.rpartition("/")[0])
        __import__("hook_client").main(sys.argv[1:])
    except BaseException:
        sys.exit(0)


if __name__ == "__main__":
    main()
