"""The player's own files.

======================  ============================================================================================
``client.toml``         settings, in the user's configuration directory; only the player writes it (`settings`)
``last.json``           the last name, address and table, in the data directory (`last_visit`)
``games.json``          the games that the player has met, in the data directory (`met_games`)
``drill.json``          the player's exercises, in the data directory (`drill_file`)
``seats.key``           32 secret bytes, mode 0600, in the data directory (`seat_keys`)
``known_hosts.json``    the keys of the servers, in the data directory (`known_servers`)
``plain_servers.json``  addresses of servers without encryption, in the data directory (`plain_servers`)
``hands/*.ryo``         the hands that the player saw at other people's tables, in the data directory (`hand_store`)
======================  ============================================================================================

A directory is made with mode 0700 when something is first written in it.
"""
