"""Hypothesis without a stopwatch: these tests also run on machines that are busy with others."""

from hypothesis import HealthCheck, settings

settings.register_profile("calm", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("calm")
