#!/usr/bin/env python3
"""A study as a job array of a real Slurm: its daemons are started here, for this test alone, on loopback.

usage: slurm_test.py FREEPLAY
"""

import contextlib
import getpass
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SKIPPED = 77  # ctest counts it as skipped
PATIENCE_S = 60
TASKS = 4

MODEL = """freeplay: 1
name: A pendulum
space: planar
parameters: {l: 1 m}
gravity: [0, -9.81 m/s^2]
bodies: {bob: {mass: 1 kg, inertia: 0.1 kg m^2}}
joints: {pivot: {type: revolute, parent: ground, child: bob, at_child: [-l, 0]}}
simulate: {duration: 1 s}
measure: {fastest: max(abs(bob.omega))}
"""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def configuration(folder):
    host, user = socket.gethostname().split(".")[0], getpass.getuser()
    control, node = free_ports(2)
    return f"""ClusterName=freeplay
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={control}
SlurmdPort={node}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_res
SelectTypeParameters=CR_CPU
ReturnToService=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Cluster:
    """munged, slurmctld and slurmd, which end with it."""

    def __init__(self, folder):
        self.folder, self.daemons = folder, []
        for name in ("munge", "state", "spool"):
            (folder / name).mkdir(mode=0o700)
        key = folder / "munge.key"
        key.write_bytes(secrets.token_bytes(1024))
        key.chmod(0o400)
        (folder / "slurm.conf").write_text(configuration(folder), encoding="utf-8")
        self.environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

    def __enter__(self):
        munge = self.folder / "munge"
        self.start("munged", "--force", "--foreground", f"--socket={munge}/socket", f"--key-file={self.folder}/munge.key",
                   f"--log-file={munge}/log", f"--pid-file={munge}/pid", f"--seed-file={munge}/seed")
        self.wait_until(lambda: (munge / "socket").exists(), "munged")
        self.start("slurmctld", "-D")
        self.start("slurmd", "-D")
        self.wait_until(lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T"), "Slurm")
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(timeout=10)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def start(self, name, *words):
        with open(self.folder / f"{name}.log", "wb") as log:
            self.daemons.append(subprocess.Popen([name, *words], stdout=log, stderr=log, env=self.environment))

    def ask(self, *words):
        return subprocess.run(words, capture_output=True, text=True, env=self.environment, timeout=PATIENCE_S).stdout

    def wait_until(self, condition, what):
        end = time.monotonic() + PATIENCE_S
        while not condition():
            if time.monotonic() > end:
                logs = "".join(f"--- {path.name}\n{path.read_text()[-2000:]}\n" for path in sorted(self.folder.glob("*.log")))
                raise SystemExit(f"{what} has not come that far in {PATIENCE_S} s\n{logs}")
            time.sleep(0.1)


def main():
    freeplay = pathlib.Path(sys.argv[1]).resolve()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in ("munged", "slurmctld", "slurmd", "sbatch", "squeue") if shutil.which(name) is None]
    if missing:
        print(f"skipped: there is no {', '.join(missing)} (packages munge, slurmctld, slurmd, slurm-client)")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="freeplay-slurm-") as name:
        folder = pathlib.Path(name)
        (folder / "pendulum.yaml").write_text(MODEL, encoding="utf-8")

        def study(out, *more):
            words = [freeplay, "sweep", "pendulum.yaml", "--over", "l=0.5m:2m:30", "--out", out, *more]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=cluster.environment)
            assert done.returncode == 0, done.stderr
            return done.stdout

        with Cluster(folder) as cluster:
            study("whole", "--quiet")
            print(study("jobs", "--slurm", "--tasks", str(TASKS)))
            cluster.wait_until(lambda: not cluster.ask("squeue", "--noheader").strip(), "the job array")
            parts = sorted(path.name for path in (folder / "jobs").glob("part-*.h5"))
            logs = "".join(path.read_text() for path in (folder / "jobs").glob("slurm-*.log"))
            assert parts == [f"part-{i}-of-{TASKS}.h5" for i in range(TASKS)], (parts, logs)
            print(study("jobs"))
        same = (folder / "jobs/sweep.h5").read_bytes() == (folder / "whole/sweep.h5").read_bytes()
        assert same, "the joined file differs from that of one process"
        print(f"{TASKS} tasks of Slurm have given the bytes of one process")
    return 0


if __name__ == "__main__":
    sys.exit(main())
