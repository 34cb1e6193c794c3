/**
 * A SLURM of one node on loopback, in a folder, without systemd, cgroups, accounting or fixed ports, as root or as any one user.
 * Needs Debian's packages slurmctld, slurmd, slurm-client and munge. What is started here is stopped by its pid.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

export const hasSlurm = ['munged', 'slurmctld', 'slurmd', 'sbatch'].every(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: { PATH } }).status === 0,
);

/** Ports that nobody has at the moment. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))));
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/**
 * Starts it, and sets SLURM_CONF of this process.
 *
 * @param {{ cpus?: number }} [options]
 */
export async function startSlurm({ cpus = 2 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-slurm-'));
  chmodSync(folder, 0o755);
  const [host] = hostname().split('.');
  const user = userInfo().username;
  const [controllerPort, nodePort] = await freePorts(2);
  for (const name of ['state', 'spool', 'munge']) mkdirSync(join(folder, name), { mode: 0o755 });
  const conf = join(folder, 'slurm.conf');
  writeFileSync(join(folder, 'munge/key'), randomBytes(128), { mode: 0o400 });
  writeFileSync(
    conf,
    `ClusterName=test
SlurmctldHost=${host}(127.0.0.1)
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
AuthInfo=socket=${folder}/munge/sock
CredType=cred/munge
SlurmctldPort=${controllerPort}
SlurmdPort=${nodePort}
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=0,batch_sched_delay=0,sched_interval=1,bf_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
ReturnToService=2
SlurmdTimeout=300
InactiveLimit=0
KillWait=5
MinJobAge=300
SlurmdParameters=config_overrides
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${cpus} Boards=1 SocketsPerBoard=1 CoresPerSocket=${cpus} ThreadsPerCore=1 RealMemory=2000 State=UNKNOWN
PartitionName=main Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`,
  );
  process.env.SLURM_CONF = conf;
  const env = { ...process.env, PATH };
  /** @param {string} command @param {string[]} args */
  const call = (command, args) => execFileSync(command, args, { env, encoding: 'utf8' });
  const sleep = () => new Promise((resolve) => setTimeout(resolve, 100));
  const pidOf = (name) => Number(readFileSync(join(folder, name), 'utf8'));
  const pids = { munged: 'munge/pid', slurmd: 'slurmd.pid', slurmctld: 'slurmctld.pid' };
  const isAlive = (pid) => {
    try {
      return process.kill(pid, 0);
    } catch (error) {
      if (error.code === 'ESRCH') return false;
      throw error;
    }
  };
  /** Ends one of them and waits until it is gone. */
  const end = async (name, signal = 'SIGTERM') => {
    if (!existsSync(join(folder, pids[name]))) return;
    const pid = pidOf(pids[name]);
    if (isAlive(pid)) process.kill(pid, signal);
    while (isAlive(pid)) await sleep();
  };
  const startController = async () => {
    call('slurmctld', ['-f', conf]);
    while (!/idle|mix|alloc/.test(spawnSync('sinfo', ['-h', '-o', '%T'], { env, encoding: 'utf8' }).stdout))
      await sleep();
  };
  const munge = join(folder, 'munge');
  call('munged', [
    ...['--force', `--key-file=${munge}/key`, `--socket=${munge}/sock`, `--pid-file=${munge}/pid`],
    ...[`--log-file=${munge}/log`, `--seed-file=${munge}/seed`],
  ]);
  call('slurmd', ['-N', host, '-f', conf]);
  await startController();
  return {
    folder,
    conf,
    call,
    startController,
    /**
     * As if its machine lost power; jobs go on. It writes what it knows every few seconds: started again without a job that
     * runs, it would drain the node, which an administrator has to mend.
     */
    async killController() {
      const now = Date.now();
      const written = () => statSync(join(folder, 'state/job_state'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
      while (written() < now && Date.now() < now + 8000) await sleep();
      await end('slurmctld', 'SIGKILL');
    },
    /** Cancels all jobs, ends all of it, and removes its folder. */
    async stop() {
      spawnSync('scancel', [`--user=${user}`], { env });
      for (let look = 0; look < 100 && call('squeue', ['-h']).trim() !== ''; look++) await sleep();
      for (const name of ['slurmctld', 'slurmd', 'munged']) await end(name);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
