"""`agentinitd plot`: a picture of a rebuild, or of a session's context over time."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from agentinitd.cli.past_sessions import KnownSession
    from agentinitd.cli.plot_scene import Scene
    from agentinitd.daemon.paths import Places

FORMATS = (".svg", ".png")


@click.command()
@click.argument("run", metavar="[RUN]", required=False)
@click.option("--session", metavar="ID", help="Of this session, followed here, or of this transcript.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="An .svg, or a .png where matplotlib is installed; else the SVG is printed.",
)
def plot(run: str | None, session: str | None, output: Path | None) -> None:
    """Draw the last rebuild, or the one of this id; or a session's context over time.

    Of a rebuild: each script as a bar, coloured by its result, and what was waited for.  Of a session: the
    context at each request, with compactions, and with the rebuilds and deliveries that the log tells of.
    The SVG suits light and dark ground; more is shown where the mouse rests.

    A PNG needs the extra `plot`: pip install 'agentinitd[plot]'
    """
    from agentinitd.cli.main import places
    from agentinitd.model.errors import UsageError

    if run is not None and session is not None:
        raise UsageError(f"{run} is a rebuild, and --session asks for a session. Take one away.")
    if output is None and sys.stdout.isatty():
        raise UsageError("A terminal cannot show a picture. Name a file: -o FILE.svg")
    if output is not None and output.suffix.lower() not in FORMATS:
        raise UsageError(f"{output} is neither an .svg nor a .png. Name such a file.")
    where = places()
    scene = rebuild_picture(where, run) if session is None else session_picture(where, session)
    _put(scene, output)


def rebuild_picture(where: Places, run: str | None) -> Scene:
    from agentinitd.cli.past_runs import found_run
    from agentinitd.cli.plot_rebuild import rebuild_scene

    found = found_run(where, run)
    return rebuild_scene(found.run, found.around)


def session_picture(where: Places, name: str) -> Scene:
    """`name`: of a session that was followed, or the path of a transcript."""
    from agentinitd.cli.past_runs import read_story
    from agentinitd.cli.past_sessions import KnownSession, found_session
    from agentinitd.cli.plot_session import SessionPlot, session_scene
    from agentinitd.cli.replay import replay_file
    from agentinitd.sessions.context_series import ContextSeries

    if Path(name).exists():
        session = KnownSession(key="", agent="", transcript=name)
    else:
        session = found_session(where, name)
    path, inner = _transcript_of(session)
    series = ContextSeries()
    replay = replay_file(path, session.agent or None, session=inner, also=series.see)
    ids = {*session.session_ids, replay.session_id} - {None}
    marks = [mark for mark in read_story(where).marks if mark.session in ids]
    told = replay.session_id if not session.session_ids else session.id
    return session_scene(
        SessionPlot(
            session=told or path.stem,
            project=session.project or "",
            replay=replay,
            series=series,
            marks=marks,
        )
    )


def _transcript_of(session: KnownSession) -> tuple[Path, str | None]:
    """Its file, and in a store of many sessions which one it is."""
    from agentinitd.model.errors import AgentinitdError

    if session.transcript is None:
        raise AgentinitdError(f"No transcript of {session.id} is known yet. It comes with its first message.")
    path, hash_sign, inner = session.transcript.rpartition("#")
    if hash_sign and not Path(session.transcript).exists():
        return Path(path), inner
    return Path(session.transcript), None


def _put(scene: Scene, output: Path | None) -> None:
    from agentinitd.model.errors import AgentinitdError

    if output is None:
        from agentinitd.cli.plot_svg import to_svg

        click.echo(to_svg(scene), nl=False)
        return
    data = _encoded(scene, output.suffix.lower())
    try:
        output.write_bytes(data)
    except OSError as error:
        raise AgentinitdError(f"{output} cannot be written ({error.strerror}). Name another file.") from error
    click.echo(f"{output}: {scene.title}")


def _encoded(scene: Scene, suffix: str) -> bytes:
    if suffix == ".png":
        from agentinitd.cli.plot_png import to_png

        return to_png(scene)
    from agentinitd.cli.plot_svg import to_svg

    return to_svg(scene).encode()
