import { execFileSync } from 'node:child_process';

/**
 * Runs npm, whatever variables the program around it has set for itself; gives what it prints.
 *
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {string}
 */
export function npm(args, cwd) {
  const { NODE_OPTIONS: _options, NODE_ENV: _env, ...env } = process.env;
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  return execFileSync(command, [...first, ...args], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
