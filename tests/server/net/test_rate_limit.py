"""The token bucket by which frames, chat and wrong tries are limited (`docs/hosting.md`)."""

from server.net.rate_limit import TokenBucket


def test_a_bucket_gives_its_burst_at_once_and_its_rate_after_that() -> None:
    bucket = TokenBucket(rate=2.0, burst=3.0, now=100.0)
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]
    assert not bucket.take(100.4)
    assert bucket.take(100.6)
    assert not bucket.take(100.6)


def test_a_bucket_never_holds_more_than_its_burst() -> None:
    bucket = TokenBucket(rate=1.0, burst=2.0, now=0.0)
    assert [bucket.take(1000.0) for _ in range(3)] == [True, True, False]


def test_a_flood_does_not_dig_a_hole_that_takes_time_to_fill() -> None:
    bucket = TokenBucket(rate=1.0, burst=1.0, now=0.0)
    assert bucket.take(0.0)
    assert not any(bucket.take(0.1) for _ in range(1000))
    assert bucket.take(1.2)
