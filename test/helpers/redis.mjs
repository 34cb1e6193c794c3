/** A Redis of our own on a spare loopback port, with its files in a folder; ended by its process id. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, join } from 'node:path';

/** The programs of Debian that are here. */
export const redisServers = ['redis-server', 'valkey-server'].filter((name) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name))),
);

const sparePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {{ folder: string, program?: string, settings?: readonly string[] }} options `settings` as on the command line;
 *   nothing is kept on the disk unless they say so
 */
export async function startRedis({ folder, program = redisServers[0], settings = [] }) {
  mkdirSync(folder, { recursive: true });
  const port = await sparePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
  let child;
  const start = async () => {
    child = spawn(program, [...args, ...settings], { stdio: 'ignore' });
    for (let times = 0; !(await accepts(port)); times++) {
      if (child.exitCode !== null || times > 500) throw new Error(`${program} did not start: ${args.join(' ')}`);
      await wait(20);
    }
  };
  const end = async (signal) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    /** Starts it again, on the same port. */
    start,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    /** Stops its process, which keeps its connections open, and lets it go on. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
  };
}

export const redisVersion = (program = redisServers[0]) => execFileSync(program, ['--version'], { encoding: 'utf8' });
