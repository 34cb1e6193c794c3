/** Thousands of classes fit into memory: measured in a process of its own, with what is built. */
import { execFileSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from './dist.js';
import { ROOT } from './program.js';

beforeAll(needDist);

it('validates 5,000 classes in less than 400 MB: a table of rows and classes alone would take as much', () => {
  const script = `
    import { CVKitValidator, KFold } from 'cvkit';
    const y = Array.from({ length: 10_000 }, (_, row) => row % 5000);
    await new CVKitValidator().validate({
      model: () => ({ fit: () => undefined, predict: (rows) => rows.map(() => 0) }),
      X: y.map((_, row) => [Math.sin(row * row)]),
      y,
      task: 'multiclass',
      cv: new KFold({ shuffle: true, randomState: 1 }),
      verbose: 0,
    });
    console.log(process.resourceUsage().maxRSS / 1000);`;
  const { NODE_OPTIONS: _, ...env } = process.env;
  const megabytes = Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT, env, encoding: 'utf8' }),
  );
  expect(megabytes).toBeGreaterThan(20);
  expect(megabytes).toBeLessThan(400);
});
