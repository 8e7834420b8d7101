"""The files of the embedded PostgreSQL: who can read them, and who can connect.

Run by root, PostgreSQL has a user of its own, because it refuses to run as root.
"""

import hashlib
import os
import pwd
import stat
import tempfile
from pathlib import Path

SUPERUSER = "postgres"
LONGEST_SOCKET = 103  # bytes of a socket's path; Linux allows 107, others 103
_SOCKET = ".s.PGSQL.5432"


class CannotStart(RuntimeError):
    """The embedded database can't be started; the message is a sentence for the operator."""


def is_root() -> bool:
    return os.geteuid() == 0


def prepare_data_folder(data_dir: Path, owner: pwd.struct_passwd) -> None:
    """Close the data folder to other users. `owner` is the user that PostgreSQL runs as. Raises CannotStart."""
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    if data_dir.stat().st_uid not in {os.geteuid(), owner.pw_uid}:
        raise CannotStart(f"DATA_DIR {data_dir} belongs to another user: choose a folder of your own.")
    for parent in data_dir.parents:
        _refuse_open(parent)
    if is_root():
        # PostgreSQL's user passes through the folder, and can't list it.
        os.chown(data_dir, -1, owner.pw_gid)
        data_dir.chmod(0o710)
        let_through(data_dir.parent)
    else:
        data_dir.chmod(0o700)
    pgdata = data_dir / "postgres"
    pgdata.mkdir(exist_ok=True, mode=0o700)
    _own(pgdata, owner)


def let_through(folder: Path) -> None:
    """Let PostgreSQL's user pass through a folder of root's and those above it, without listing them."""
    for path in (folder, *folder.parents):
        mode = path.stat().st_mode
        if not mode & stat.S_IXOTH:
            path.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)


def _refuse_open(folder: Path) -> None:
    """Raise CannotStart where other users may replace what is in the folder."""
    mode = folder.stat().st_mode
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        raise CannotStart(f"Every user of this machine may change the folder {folder}: choose another DATA_DIR.")


def _own(folder: Path, owner: pwd.struct_passwd) -> None:
    if is_root():
        os.chown(folder, owner.pw_uid, owner.pw_gid)
    folder.chmod(0o700)


def socket_folder(pgdata: Path, owner: pwd.struct_passwd) -> Path:
    """Return the folder of the server's socket, which nobody else can enter: `pgdata`, if its path is short enough.

    Raises CannotStart.
    """
    if _fits(pgdata):
        return pgdata
    name = f"regulars-{hashlib.sha256(os.fsencode(pgdata)).hexdigest()[:16]}"
    folder = _runtime_folder() / name
    if not _fits(folder):
        raise CannotStart(f"DATA_DIR {pgdata.parent} is too long a path for PostgreSQL's socket: choose a shorter one.")
    _refuse_open(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid not in {os.geteuid(), owner.pw_uid}:
        raise CannotStart(
            f"Another user has made {folder}, where PostgreSQL's socket belongs: choose a shorter DATA_DIR."
        )
    _own(folder, owner)
    return folder


def _fits(folder: Path) -> bool:
    return len(os.fsencode(folder / _SOCKET)) <= LONGEST_SOCKET


def _runtime_folder() -> Path:
    """Return the folder that holds those of sockets: in /run only root can make one."""
    if is_root() and Path("/run").is_dir():
        return Path("/run")
    return Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()).resolve()


def write_authentication(pgdata: Path, owner: pwd.struct_passwd) -> bool:
    """Let only the user who runs Regulars connect: the socket tells PostgreSQL who that is.

    Returns whether the rules have changed.
    """
    users = dict.fromkeys([pwd.getpwuid(os.geteuid()).pw_name, owner.pw_name])
    rules = {
        "pg_hba.conf": "# Written by Regulars at every start.\nlocal all all peer map=regulars\n",
        "pg_ident.conf": "".join(f'regulars "{user}" {SUPERUSER}\n' for user in users),
    }
    has_changed = False
    for name, text in rules.items():
        file = pgdata / name
        if file.exists() and file.read_text() == text:
            continue
        has_changed = True
        file.write_text(text)
        file.chmod(0o600)
        if is_root():
            os.chown(file, owner.pw_uid, owner.pw_gid)
    return has_changed
