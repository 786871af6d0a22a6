"""The network of an address: what one person has to themselves, and what limits therefore count."""

import ipaddress


def network_of(address: str) -> str:
    """The network for which limits count an address.

    An IPv4 address counts for itself, however it is written. An IPv6 address counts as its network of 64 bits, because
    one machine has such a network to itself.
    """
    try:
        found = ipaddress.ip_address(address.split("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def provider_of(address: str) -> str:
    """The wider network, of 16 bits for IPv4 and 32 bits for IPv6: what one provider has, or one person may rent."""
    try:
        network = ipaddress.ip_network(network_of(address))
    except ValueError:
        return address
    return str(network.supernet(new_prefix=16 if network.version == 4 else 32))
