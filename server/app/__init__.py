"""The running process: it listens, admits connections and hands their messages to tables."""
