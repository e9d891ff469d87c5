"""What Dask says, in words that help; and what it logs beside that, silenced. Raises nothing."""

from __future__ import annotations

import logging
import ssl
import warnings
from collections.abc import Iterator

from arena import __version__


def quieten() -> None:
    """What Dask logs and warns about lost connections and other versions, the crew tells in its own words."""
    for name in [
        "distributed",
        *logging.root.manager.loggerDict,
    ]:  # Dask's import has given each a level of its own
        if name.startswith("distributed"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    warnings.filterwarnings("ignore", module="distributed")


def brief(error: BaseException) -> str:
    """The first line of an error, with its kind where it has no words."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(":") if lines else type(error).__name__


def of_an_errand(reason: str) -> str:
    """Why a task could not be read or run at the other end."""
    if "No package metadata" in reason or "No module named 'arena" in reason:
        return f"arena is not installed there: pip install 'bot-arena[dask]=={__version__}'"
    if "deserializ" in reason:
        return f"the scheduler or the worker cannot read what is sent: install arena {__version__} on both ({reason})"
    return reason


def of_silence(address: str, error: BaseException, seconds: float) -> str:
    """Why no scheduler was reached, by the error of the last try."""
    known = f"no Dask scheduler answers at {address} (tried for {seconds:g} s)"
    kinds = [type(cause) for cause in _causes(error)]
    if ConnectionRefusedError in kinds:
        return f"{known}: is it running there?"
    if ConnectionResetError in kinds and not _has_tls(address):
        return f"{known}: what listens there hangs up; a scheduler that speaks TLS has an address with tls://"
    if kinds == [TimeoutError]:
        return f"{known}: something listens there and says nothing a scheduler would say; is the port right?"
    return f"{known}: is it running there, and can it be reached from here? ({brief(error)})"


def of_what_cannot_be(address: str, error: BaseException) -> str:
    """Why an address can never be used, by Dask's error."""
    if "Worker.identity" in str(error):
        return f"{address} is the address of a worker: give the scheduler's, the one that its workers were started with"
    if _has_tls(address) and "convert to SSL" in str(error):
        return f"what listens at {address} speaks no TLS: a scheduler without has an address with tcp://"
    return f"{address} cannot be used: {brief(error)}"


def certificate_trouble(address: str, error: BaseException) -> str | None:
    """What is wrong between two certificates, if that is why a connection failed."""
    if not any(isinstance(cause, ssl.SSLError) for cause in _causes(error)):
        return None
    return (
        f"the certificates here and at {address} do not fit together: every machine needs the same ca-file, and a "
        "certificate with its key that this ca-file knows (see docs/cluster.md)"
    )


def tls_trouble(address: str) -> str | None:
    """Why a tls:// address cannot be used, if the certificates for it are not in Dask's configuration."""
    from distributed import Security

    if not _has_tls(address):
        return None
    try:
        found = Security().get_connection_args("client").get("ssl_context")  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError) as error:
        return f"{address}: the certificates in Dask's configuration cannot be used: {brief(error)}"
    if found is not None:
        return None
    return f"{address} needs certificates: set distributed.comm.tls in Dask's configuration (see docs/cluster.md)"


def _has_tls(address: str) -> bool:
    return address.startswith(("tls://", "wss://"))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error, and what it came of."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
