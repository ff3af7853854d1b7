#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A Slurm of one node on this machine, for as long as a command runs: cluster.py COMMAND ... Root only; needs slurm-wlm and munge.

The node declares 8 processors and 2 GPUs on every machine; devices that exist everywhere replace the GPUs."""
import contextlib
import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

# Only root looks where some of the programs are.
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"
SLURM = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
KillWait=5
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 Gres=gpu:2 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
"""


def why_not():
    """Why there can be no such Slurm here; None: there can."""
    if os.geteuid():
        return "only root can start slurmctld and slurmd"
    programs = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo")
    absent = [program for program in programs if not shutil.which(program, path=PATH)]
    return f"no {', '.join(absent)}: packages slurm-wlm and munge" if absent else None


def free_ports(count):
    """Free port numbers."""
    with contextlib.ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def configure(folder):
    os.chmod(folder, 0o755)  # munged wants its socket to be within everybody's reach
    for name in ("state", "spool"):
        os.mkdir(f"{folder}/{name}")
    with open(os.open(f"{folder}/munge.key", os.O_WRONLY | os.O_CREAT, 0o600), "wb") as key:
        key.write(os.urandom(128))
    controller, node = free_ports(2)
    write(f"{folder}/slurm.conf", SLURM.format(folder=folder, host=socket.gethostname().split(".")[0], controller=controller, node=node))
    write(f"{folder}/gres.conf", "Name=gpu File=/dev/null\nName=gpu File=/dev/zero\n")
    version = subprocess.run(["slurmd", "-V"], env={**os.environ, "PATH": PATH}, capture_output=True, text=True, check=True).stdout
    can_disable = int(version.split()[1].split(".")[0]) >= 23
    write(f"{folder}/cgroup.conf", "CgroupPlugin=disabled\n" if can_disable else "IgnoreSystemd=yes\n")


def end_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG


@contextlib.contextmanager
def daemon(folder, environment, *command):
    """Runs while the block does; what it says is in a file of its name."""
    with open(f"{folder}/{command[0]}.log", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, start_new_session=True,
                                   preexec_fn=end_with_parent)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def until(is_so, what, folder):
    """Waits for it, not for ever."""
    end = time.monotonic() + 20
    while not is_so():
        if time.monotonic() > end:
            logs = [f"{name}: {open(f'{folder}/{name}', encoding='utf-8', errors='replace').read()[-2000:]}"
                    for name in sorted(os.listdir(folder)) if name.endswith(".log")]
            raise TimeoutError("\n".join([f"{what} within 20 s", *logs]))
        time.sleep(0.05)


@contextlib.contextmanager
def running():
    """The environment for programs that are to use it."""
    with tempfile.TemporaryDirectory(prefix="fovea-slurm-") as folder, contextlib.ExitStack() as daemons:
        configure(folder)
        environment = {**os.environ, "PATH": PATH, "SLURM_CONF": f"{folder}/slurm.conf"}

        def said(*command):
            return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout.strip()
        daemons.enter_context(daemon(folder, environment, "munged", "--foreground", f"--socket={folder}/munge.socket",
                                     f"--key-file={folder}/munge.key", f"--pid-file={folder}/munged.pid",
                                     f"--seed-file={folder}/munged.seed", f"--log-file={folder}/munged.log"))
        until(lambda: os.path.exists(f"{folder}/munge.socket"), "munged is not ready", folder)
        daemons.enter_context(daemon(folder, environment, "slurmctld", "-D"))
        daemons.enter_context(daemon(folder, environment, "slurmd", "-D"))
        until(lambda: said("sinfo", "--noheader", "--format=%T") == "idle", "the node is not ready", folder)
        try:
            yield environment
        finally:
            said("scancel", "--user=root")
            until(lambda: not said("squeue", "--noheader"), "jobs do not end", folder)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    if why_not():
        sys.exit(f"cluster.py: {why_not()}")
    with running() as here:
        sys.exit(subprocess.run(sys.argv[1:], env=here, check=False).returncode)
