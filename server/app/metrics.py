"""A server in numbers, in the text format that Prometheus reads. Nothing is counted by name or address."""

from collections.abc import Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from protocol.versions import PROGRAM
from server.app.server import Server
from server.storage.durations import BOUNDS, Durations

CONTENT_TYPE = CONTENT_TYPE_LATEST
"""Of the text."""


def metrics_text(server: Server, loop_lag: float) -> bytes:
    """All metrics of the server now. `loop_lag`: the longest delay of its event loop lately, in seconds."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Reading(server, loop_lag))
    return generate_latest(registry)


class _Reading(Collector):
    """The metrics at one moment: they are read from the server when they are asked for, and kept nowhere."""

    def __init__(self, server: Server, loop_lag: float) -> None:
        self._server, self._loop_lag = server, loop_lag

    def collect(self) -> Iterator[Metric]:
        """All of them."""
        yield from self._now()
        yield from self._since_the_start()

    def _now(self) -> Iterator[Metric]:
        lobby, door = self._server.lobby, self._server.lobby.door
        tables = list(lobby.tables.values())
        taken = [sum(bool(seat.name) for seat in table.state.view.seats) for table in tables]
        halted = sum(table.halted is not None for table in tables)
        in_hand = sum(table.state.hand is not None for table in tables)
        yield _gauge("ryo_info", "The version of the program.", "version", {PROGRAM: 1})
        states = {"playing": len(tables) - halted, "halted": halted}
        yield _gauge("ryo_tables", "Tables that play, and tables that have stopped.", "state", states)
        yield _gauge("ryo_tables_in_hand", "Tables at which a hand is played.", "", {"": in_hand})
        free = sum(len(table.state.view.seats) for table in tables) - sum(taken)
        yield _gauge("ryo_seats", "Seats of all tables.", "state", {"taken": sum(taken), "free": free})
        connected = sum(len(table.audience.seated) for table in tables)
        yield _gauge("ryo_players_connected", "Players with a seat who are connected.", "", {"": connected})
        watching = sum(len(table.audience.spectators) for table in tables)
        yield _gauge("ryo_spectators", "Spectators of all tables.", "", {"": watching})
        states = {"admitted": door.inside - door.waiting, "waiting": door.waiting}
        yield _gauge("ryo_connections", "Connections that are let in, and that are not yet.", "state", states)
        yield _gauge("ryo_loop_lag_seconds", "Longest delay of the event loop lately.", "", {"": self._loop_lag})
        behind = self._server.group_commit.behind()
        yield _gauge("ryo_disk_behind_seconds", "Age of the oldest step not on the disk yet.", "", {"": behind})

    def _since_the_start(self) -> Iterator[Metric]:
        counts = self._server.counts
        yield CounterMetricFamily("ryo_hands", "Hands that were dealt.", counts.hands)
        yield CounterMetricFamily("ryo_actions", "Actions of players that were done.", counts.actions)
        yield CounterMetricFamily("ryo_refused_joins", "Attempts to come to a table that were refused.", counts.refused)
        yield CounterMetricFamily("ryo_strangers", "Connections that were no players.", self._server.strangers)
        yield CounterMetricFamily("ryo_disk_errors", "Writes that the disk did not take.", counts.disk_errors)
        yield _histogram(
            "ryo_durable_seconds", "Time from a decision until it was on the disk.", self._server.group_commit.durations
        )


def _gauge(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    """A gauge with a value for each value of the label; without a label the value of the empty text."""
    metric = GaugeMetricFamily(name, text, labels=[label] if label else [])
    for key, value in values.items():
        metric.add_metric([key] if label else [], value)
    return metric


def _histogram(name: str, text: str, durations: Durations) -> Metric:
    counts = list(accumulate(durations.counts))
    buckets = list(zip([*map(str, BOUNDS), "+Inf"], counts, strict=True))
    return HistogramMetricFamily(name, text, buckets, durations.total)
