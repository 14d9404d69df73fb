"""Where hooks come to: what they tell is taken in, and what is due to their session is handed out once."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from agentinitd.daemon.built import Built
from agentinitd.daemon.following import Followed
from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest
from agentinitd.daemon.receipts import CLIENT_SECONDS, Receipts
from agentinitd.daemon.supervisor import Supervisor
from agentinitd.integrations.agents import INTEGRATIONS
from agentinitd.model.causes import strongest
from agentinitd.model.hooks import HookRequest
from agentinitd.sessions import delivery
from agentinitd.sessions.observations import Compacted
from agentinitd.sessions.record import LastHook

NOTHING = HttpAnswer(status=204)
HEARING_SECONDS = 0.3
"""So long a hook that can deliver nothing waits until what it tells is taken in; then that goes on alone."""
MOST_ID_CHARS = 256


class HookDesk:
    """Serves `POST /v1/hook/{agent}`."""

    def __init__(self, supervisor: Supervisor, *, receipts: Receipts, now: Callable[[], float]) -> None:
        self._supervisor = supervisor
        self._receipts = receipts
        self._now = now
        self._under_way: set[str] = set()
        """Tokens whose client is still connected to us."""

    async def serve(self, agent: str, request: HttpRequest) -> HttpAnswer:
        """What the hook prints, or 204 when there is nothing to say.  Raises HttpError for foreign input."""
        integration = INTEGRATIONS.get(agent)
        if integration is None:
            raise HttpError(
                404, f"{agent} is not an agent with hooks of ours; known: {', '.join(INTEGRATIONS)}."
            )
        try:
            hook = integration.parse_hook(request.body)
        except ValueError as error:
            raise HttpError(400, f"The hook's input cannot be read: {error}") from error
        if hook.is_helper or not (hook.session_id or hook.transcript_path):
            return NOTHING
        if len(hook.session_id) > MOST_ID_CHARS:
            raise HttpError(400, f"A session id of {len(hook.session_id):,} characters is none of an agent.")
        at = self._now()
        followed, is_new = self._session_of(hook)
        if not hook.can_deliver:
            await self._listen(followed, hook, is_new=is_new, at=at)
            return NOTHING
        async with followed.lock:
            self.settle_old(followed)
            await self._take_in(followed, hook, is_new=is_new, at=at)
            handed = await self._hand_out(followed, hook, request.has_left)
        if handed is None:
            self._supervisor.build_ahead(followed)  # for the next hook, if something waits for one
            return NOTHING
        handout, text = handed
        self._under_way.add(handout.token)
        leaves_receipt = "x-agentinitd-client" in request.headers
        return HttpAnswer(
            body=integration.answer(hook, text),
            headers=(("x-agentinitd-receipt", handout.token),),
            finished=partial(self._finished, followed, handout.token, leaves_receipt),
        )

    async def _listen(self, followed: Followed, hook: HookRequest, *, is_new: bool, at: float) -> None:
        """It gets nothing, so the agent does not wait for others whom a rebuild holds up, nor for long."""
        is_held_up = followed.building.is_busy and followed.lock.locked()
        hearing = self._supervisor.undertake(
            f"hearing {hook.event_name} of {hook.session_id}",
            self._hear(followed, hook, is_new=is_new, at=at),
        )
        if not is_held_up:
            await asyncio.wait({hearing}, timeout=HEARING_SECONDS)

    async def _hear(self, followed: Followed, hook: HookRequest, *, is_new: bool, at: float) -> None:
        async with followed.lock:
            self.settle_old(followed)
            await self._take_in(followed, hook, is_new=is_new, at=at)
            is_due = bool(followed.record.delivery.due)
            await self._note(followed, hook, "waits for another hook" if is_due else "nothing due")
        if hook.event == "session-end":
            self._supervisor.end(followed)
        self._supervisor.build_ahead(followed)  # for the next hook, if something waits for one

    def _session_of(self, hook: HookRequest) -> tuple[Followed, bool]:
        if hook.transcript_path:
            return self._supervisor.session_of_hook(hook.agent, hook.transcript_path, hook.session_id)
        return self._supervisor.roster.of_id(hook.agent, hook.session_id)

    async def _take_in(self, followed: Followed, hook: HookRequest, *, is_new: bool, at: float) -> None:
        """`at`: when it came.  What it waited for the agent did not wait for."""
        followed.add_session_id(hook.session_id)
        followed.set_place(hook.cwd)
        if hook.event == "session-start":
            # The transcript of a session that was resumed or copied tells what was before: read it first.
            await self._supervisor.read(followed)
            followed.start_session(hook.source or "startup", at=self._now())
        else:
            if is_new:
                followed.find_running(at=self._now())
            await self._supervisor.read(followed)
        if hook.event == "after-compaction":
            followed.observe(Compacted(cause_id=f"hook:{secrets.token_hex(4)}", at=at))

    async def _hand_out(
        self, followed: Followed, hook: HookRequest, has_left: Callable[[], bool]
    ) -> tuple[delivery.Handout, str] | None:
        due = followed.record.delivery.due
        if not due:
            await self._note(followed, hook, "nothing due")
            return None
        if followed.project is None:
            await self._note(followed, hook, "no memory")
            return None
        saving = asyncio.create_task(followed.save(), name="save")  # a kill while we build must not lose it
        try:
            built = await self._supervisor.built(followed, strongest(due))
        finally:
            await saving
        if built.result == "aborted":
            raise HttpError(503, "The daemon is stopping; what is due is served after its next start.")
        if built.snippet is None:
            # The causes wait: a memory that is written now reaches this session at its next hook.
            await self._note(followed, hook, "no memory", reason=built.reason)
            return None
        if built.is_echo and all(cause.trigger == "session" for cause in due):
            # There was nothing to say when it started.  What was said since then the agent has just heard.
            followed.change_delivery(delivery.withdraw(followed.record.delivery, "session"))
            await self._note(followed, hook, "nothing due")
            return None
        if has_left():
            # A slow script outlasted the client: the next hook, which may wait already, gets it at once.
            await self._note(followed, hook, "client left")
            return None
        handout = self._handout(followed, hook, built)
        followed.change_delivery(delivery.hand_out(followed.record.delivery, handout))
        followed.told(built)
        await self._note(followed, hook, "served")
        return handout, built.snippet.text

    def _handout(self, followed: Followed, hook: HookRequest, built: Built) -> delivery.Handout:
        assert built.snippet is not None
        return delivery.Handout(
            token=secrets.token_hex(8),
            causes=built.causes,
            runlevel=built.runlevel,
            snippet_id=built.snippet.id,
            event=hook.event_name,
            handed_at=self._now(),
            offset=followed.offset,
        )

    async def _note(self, followed: Followed, hook: HookRequest, outcome: str, *, reason: str = "") -> None:
        last = LastHook(event=hook.event_name, at=self._now(), outcome=outcome, reason=reason)
        followed.record = replace(followed.record, last_hook=last)
        await followed.save()

    async def _finished(self, followed: Followed, token: str, leaves_receipt: bool, is_taken: bool) -> None:
        """The exchange is over.  `is_taken`: the client took all of it and has left."""
        async with followed.lock:
            self._under_way.discard(token)
            has_arrived = is_taken
            if leaves_receipt:
                found = await asyncio.to_thread(self._receipts.settle, token)
                if found == "printing" and not is_taken:
                    return  # `settle_old` will see what became of it
                # Where no receipt can be made, the client could make none either, and printed what it took.
                has_arrived = found == "printed" or (found == "unknown" and is_taken)
            self._settle(followed, token, has_arrived=has_arrived)
            await followed.save()
            # Not before: killed in between, we would find neither the receipt nor what it said.
            if is_taken and not followed.saving.is_dirty:
                await asyncio.to_thread(self._receipts.forget, token)

    def take_up(self, followed: Followed) -> None:
        """A session comes back from disk; so what its record says of old receipts is on disk as well."""
        for delivered in followed.record.delivery.delivered:
            self._receipts.forget(delivered.handout.token)
        self.settle_old(followed)

    def settle_old(self, followed: Followed) -> None:
        """What was under way when we, or a daemon before us, lost sight of the client."""
        for handout in followed.record.delivery.handouts:
            if handout.token in self._under_way:
                continue
            found = self._receipts.settle(handout.token)
            is_young = 0 <= self._now() - handout.handed_at < CLIENT_SECONDS
            if not (found == "printing" and is_young):
                self._settle(followed, handout.token, has_arrived=found == "printed")

    def _settle(self, followed: Followed, token: str, *, has_arrived: bool) -> None:
        change = delivery.arrived if has_arrived else delivery.put_back
        followed.change_delivery(change(followed.record.delivery, token))
