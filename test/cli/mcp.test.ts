/** `cvkit mcp` as a process, asked by the client of the protocol: what it answers, and what it refuses to read. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';
import { cvkit, visits } from './commandLine.js';

const { folder } = tempFolder();
const root = join(folder, 'study');
const COMMAND = join(DIST, 'node', 'cli.js');
/** Ids as hospitals give them: they are found in any text that holds them. */
const ID = /MRN-\d/;
const COLUMNS = { path: 'visits.csv', target: 'died', groups: 'patient' };

interface Answered {
  readonly isError?: boolean;
  readonly content: { readonly text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: JSON of an answer
  readonly structuredContent?: any;
}

let client: Client;
const call = async (name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })) as unknown as Answered;
const refusal = async (name: string, args: Record<string, unknown>) => {
  const { isError, content } = await call(name, args);
  expect(isError).toBe(true);
  expect(content).toHaveLength(1);
  return content[0].text;
};

beforeAll(async () => {
  needDist();
  mkdirSync(root);
  const table = visits().replace(/^p(\d+),/gm, (_, patient) => `MRN-${4800 + 37 * patient}-Q,`);
  writeFileSync(join(root, 'visits.csv'), table);
  // Few, so that their ids could be taken for classes.
  writeFileSync(join(root, 'few.csv'), table.split('\n').slice(0, 25).join('\n'));
  writeFileSync(join(root, 'one.csv'), 'died\n1\n0\n1\n0\n');
  writeFileSync(join(root, 'broken.json'), '{ "manifest": ');
  writeFileSync(join(folder, 'outside.csv'), table);
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'elsewhere', 'result.json'), '{}');
  symlinkSync(join(folder, 'outside.csv'), join(root, 'link.csv'));
  symlinkSync(folder, join(root, 'up'));
  symlinkSync('visits.csv', join(root, 'inside.csv'));
  mkdirSync(join(root, 'linked'));
  symlinkSync(join(folder, 'elsewhere', 'result.json'), join(root, 'linked', 'result.json'));
  client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp', '--root', root], stderr: 'pipe' }),
  );
});
afterAll(() => client.close());

describe('the tools', () => {
  it('only read, and say so', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['check_table', 'recommend_design', 'explain', 'read_run']);
    for (const { annotations, description, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(description).toMatch(/\.$/);
      expect(inputSchema.additionalProperties).toBe(false);
    }
  });

  it('check a table as `cvkit check` does', async () => {
    const { content, structuredContent: facts, isError } = await call('check_table', { ...COLUMNS, method: 'kfold' });
    expect(isError).toBeUndefined();
    const words = ['check', join(root, 'visits.csv'), '--target', 'died', '--groups', 'patient', '--method', 'kfold'];
    const [printed, json] = [await cvkit(...words), await cvkit(...words, '--reporter', 'json')];
    // Pseudonyms are others in each process, and options are named as parameters here.
    const neutral = (text: string) => text.replace(/#[0-9a-f]{8}/g, '#').replaceAll('--sites COLUMN', 'sites');
    expect(neutral(content[0].text)).toContain(neutral(printed.out.trim()));
    const expected = JSON.parse(json.out);
    expect(facts.verdict).toEqual(expected.verdict);
    expect(facts.overallStatus).toBe('failed');
    expect(facts.leakageTypes).toContain('patient');
    const codes = (checks: { code: string; message: string }[]) => checks.map(({ code, message }) => [code, message]);
    expect(codes(facts.checks)).toEqual(codes(expected.checks));
  });

  it('follow a link within the folder, and take absolute paths in it', async () => {
    expect((await call('check_table', { ...COLUMNS, path: 'inside.csv' })).isError).toBeUndefined();
    expect((await call('check_table', { ...COLUMNS, path: join(root, 'visits.csv') })).isError).toBeUndefined();
  });

  it('recommend a design', async () => {
    const { structuredContent: facts } = await call('recommend_design', COLUMNS);
    expect(facts.method).toBe('stratified_group_kfold');
    expect(facts.rationale.join(' ')).toContain('80 rows of 40 patients');
    expect(facts.code).toContain('new StratifiedGroupKFold(');
  });

  it('explain checks and errors', async () => {
    expect((await call('explain', { code: 'CVL001' })).content[0].text).toMatch(/^# CVL001/);
    expect((await call('explain', { code: 'unknown_column' })).content[0].text).toContain('InvalidDataError');
    expect((await call('explain')).content[0].text).toContain('CVL012');
    expect(await refusal('explain', { code: '../../package' })).toMatch(/must be the code or type of a check/);
  });

  it('read a run directory and its result, before and after its end', { tags: 'slow' }, async () => {
    const words = ['run', join(root, 'visits.csv'), '--target', 'died', '--groups', 'patient', '--quiet'];
    await cvkit(...words, '--directory', join(root, 'run'), '--exit-zero');
    const ofFolder = await call('read_run', { path: 'run' });
    const ofFile = await call('read_run', { path: 'run/result.json' });
    const result = JSON.parse(readFileSync(join(root, 'run', 'result.json'), 'utf8'));
    for (const { structuredContent: facts } of [ofFolder, ofFile]) {
      expect(facts.estimates).toEqual(result.estimates);
      expect(facts.verdict).toEqual({ status: result.verdict.status, text: result.verdict.text });
      expect(facts.intervals.roc_auc).toMatchObject({ lower: result.confidenceIntervals.roc_auc.lower, nUnits: 40 });
      expect(facts.manifest).toMatchObject({ n: 80, nGroups: 40, splitter: 'StratifiedGroupKFold' });
    }
    expect(ofFolder.structuredContent.status).toMatchObject({ state: 'ended', finished: 5, folds: 5 });
    expect(ofFolder.content[0].text).toContain(result.verdict.text);
    expect(JSON.stringify([ofFolder, ofFile])).not.toMatch(ID);
    // A part of the run: no result yet.
    await cvkit(...words, '--directory', join(root, 'part'), '--shard', '1/5', '--exit-zero');
    const part = await call('read_run', { path: 'part' });
    expect(part.structuredContent).toMatchObject({ status: { finished: 1, folds: 1 } });
    expect(part.structuredContent.estimates).toBeUndefined();
  });
});

describe('what is not in the folder', () => {
  it.each([
    ['../outside.csv', 'one elsewhere'],
    ['./a/../../outside.csv', 'one elsewhere'],
    ['/etc/passwd', 'one elsewhere'],
    [join(folder, 'outside.csv'), 'one elsewhere'],
    [`${root}-other/visits.csv`, 'one elsewhere'],
    ['link.csv', 'a link to elsewhere'],
    ['up/outside.csv', 'a link to elsewhere'],
    ['\\\\host\\share\\visits.csv', 'one of another kind'],
    ['//host/share/visits.csv', 'one of another kind'],
    ['visits.csv\0.txt', 'one of another kind'],
  ])('is refused: %j, %s', async (path, got) => {
    for (const [name, args] of [
      ['check_table', { ...COLUMNS, path }],
      ['check_table', { ...COLUMNS, folds: path }],
      ['recommend_design', { ...COLUMNS, path }],
      ['read_run', { path }],
    ] as const) {
      expect(await refusal(name, args)).toMatch(`A path must lie in the folder of \`cvkit mcp\`. Got ${got}.`);
    }
  });

  it('is refused as a file of a run directory, too', async () => {
    expect(await refusal('read_run', { path: 'linked' })).toContain('Got a folder with links in it.');
  });

  it('is refused where it is no file, no result, or no JSON', async () => {
    expect(await refusal('check_table', { ...COLUMNS, path: 'none.csv' })).toContain('can be read. Got none.');
    expect(await refusal('check_table', { ...COLUMNS, path: '.' })).toContain('must be that of a file');
    expect(await refusal('read_run', { path: 'visits.csv' })).toMatch(/must be JSON/);
    const broken = await refusal('read_run', { path: 'broken.json' });
    expect(broken).toMatch(/must be JSON/);
    expect(broken).not.toContain('manifest');
  });
});

describe('what is wrong with a call', () => {
  it('is one sentence, and the server lives on', async () => {
    expect(await refusal('check_table', { path: 'visits.csv' })).toMatch(
      /called with target, or time and event.* The columns are patient, crp/,
    );
    // Names of parameters, and no flags.
    const { content } = await call('check_table', { path: 'visits.csv', target: 'died' });
    expect(content[0].text).toContain('pass `groups patient` if these are');
    expect(content[0].text).not.toMatch(/--(groups|sites|timestamps|independent-rows|prepared-inside)/);
    expect(await refusal('check_table', { ...COLUMNS, target: 'dead' })).toMatch(/dead/);
    expect(await refusal('check_table', { path: 'one.csv', target: 'died' })).toMatch(/must .*Got /);
    expect(await refusal('check_table', {})).toContain('path');
    expect(await refusal('check_table', { ...COLUMNS, outputFile: 'x' })).toContain('additional properties');
    expect(await refusal('recommend_design', { ...COLUMNS, force: true })).toContain('additional properties');
    expect((await call('explain')).isError).toBeUndefined();
  });

  it('never shows an id, whatever column is taken for what', async () => {
    const misuses: Record<string, unknown>[] = [
      { target: 'patient' },
      { target: 'patient', positive_label: 'x' },
      { target: 'died', positive_label: 'MRN' },
      { target: 'died', timestamps: 'patient' },
      { target: 'died', groups: 'patient', sites: 'patient' },
      { target: 'died', columns: ['patient', 'crp', 'age'] },
      { time: 'patient', event: 'died' },
      { time: 'age', event: 'patient' },
      { target: 'died', groups: 'patient', method: 'leave_one_group_out', details: true },
      { target: 'died', groups: 'patient', method: 'kfold', details: true },
      { target: 'died', groups: 'patient', cv: 60 },
    ];
    for (const [path, misuse] of ['visits.csv', 'few.csv'].flatMap((name) => misuses.map((each) => [name, each]))) {
      const { cv: _, method: __, details: ___, ...ofRecommend } = misuse as Record<string, unknown>;
      const answers = [
        await call('check_table', { path, ...(misuse as object) }),
        await call('recommend_design', { path, ...ofRecommend }),
      ];
      for (const answer of answers) expect(JSON.stringify(answer), JSON.stringify(misuse)).not.toMatch(/MRN-\d/);
    }
  });
});

it('answers two calls at once, each its own', async () => {
  const [leaky, whole] = await Promise.all([
    call('check_table', { ...COLUMNS, method: 'kfold' }),
    call('check_table', COLUMNS),
  ]);
  expect(leaky.structuredContent.folds.splitter).toMatch(/^KFold/);
  expect(whole.structuredContent.folds.splitter).toMatch(/^StratifiedGroupKFold/);
  expect([leaky, whole].map(({ structuredContent }) => structuredContent.leakageTypes.includes('patient'))).toEqual([
    true,
    false,
  ]);
});

it('gives answers of a bounded size, and plain values alone of a file that nobody trusts', async () => {
  const check = {
    code: 'CVL001',
    type: 'patient',
    status: 'failed',
    message: `\u001b${'x'.repeat(5000)}`,
    more: { a: 1 },
  };
  const forged = {
    ...{ estimates: { roc_auc: 0.5, other: { deep: 1 } }, verdict: { status: 'failed', text: 'FAILED' } },
    ...{ checks: Array(5000).fill(check), outOfFold: { group: ['MRN-1'] }, recommendations: ['one', { two: 2 }] },
    manifest: { cvkit: '0.1.0', splitter: 'KFold', classes: ['MRN-2'], n: 4, options: { a: 'MRN-3' } },
  };
  writeFileSync(join(root, 'forged.json'), JSON.stringify(forged));
  const { content, structuredContent: facts } = await call('read_run', { path: 'forged.json' });
  expect(content[0].text.length).toBeLessThan(20_100);
  expect(content[0].text).toMatch(/\.\.\. \d+ characters more$/);
  expect(JSON.stringify(facts).length).toBeLessThan(120_000);
  expect(facts).toMatchObject({ estimates: { roc_auc: 0.5 }, recommendations: ['one'], manifest: { n: 4 } });
  expect(Object.keys(facts.estimates)).toEqual(['roc_auc']);
  expect(facts.checks[0].message).toMatch(/^\\u001bx+$/);
  expect(JSON.stringify(facts)).not.toMatch(ID);
  const recommendations = Array.from({ length: 2000 }, (_, at) => `${at} ${'y'.repeat(300)}`);
  const estimates = Object.fromEntries(recommendations.map((text, at) => [text, at]));
  writeFileSync(join(root, 'forged.json'), JSON.stringify({ ...forged, recommendations, estimates }));
  const many = await call('read_run', { path: 'forged.json' });
  expect(many.structuredContent).toBeUndefined();
  expect(many.content[0].text.length).toBeLessThan(20_200);
  expect(many.content[0].text).toMatch(/\.\.\. and \d+ characters of data, which are too many to send$/);
});

it('writes nothing', async () => {
  const before = readdirSync(root).sort();
  await call('check_table', COLUMNS);
  await call('recommend_design', COLUMNS);
  expect(readdirSync(root).sort()).toEqual(before);
});

describe('the process', () => {
  it('prints the protocol alone, lives on after garbage, and ends when its stdin does', async () => {
    const server = spawn(process.execPath, [COMMAND, 'mcp'], { cwd: root });
    const lines = createInterface({ input: server.stdout });
    const answers: { jsonrpc: string; id?: number; result?: { isError?: boolean } }[] = [];
    lines.on('line', (line) => answers.push(JSON.parse(line)));
    const send = (message: unknown) =>
      server.stdin.write(
        `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...Object(message) })}\n`,
      );
    const clientInfo = { name: 'lines', version: '1' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send('{ "jsonrpc": garbage');
    send('[]');
    send({ id: 2, method: 'tools/call', params: { name: 'check_table', arguments: COLUMNS } });
    while (!answers.some(({ id }) => id === 2)) await once(lines, 'line');
    expect(answers.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
    expect(answers.find(({ id }) => id === 2)?.result?.isError).toBeUndefined();
    server.stdin.end();
    expect(await once(server, 'close')).toEqual([0, null]);
  });

  it('needs a folder that exists', async () => {
    expect(await cvkit('mcp', '--root', join(folder, 'none'))).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^A path must be a folder that exists\. Got none of that name\.\n$/),
    });
  });
});
