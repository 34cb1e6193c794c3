import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { cacheHome, readBytes, readText, terminal } from '../../src/core/io.default.js';

let server: Server;
let address: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/data.csv') response.end('age,µg\n61,3\n');
    else response.writeHead(404).end('no');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe('without Node', () => {
  it('a URL is fetched, as UTF-8 and as bytes', async () => {
    expect(await readText(`${address}/data.csv`)).toBe('age,µg\n61,3\n');
    expect(new TextDecoder().decode(await readBytes(new URL(`${address}/data.csv`)))).toBe('age,µg\n61,3\n');
  });

  it('an error says what the server answered, and keeps the cause when there is none', async () => {
    const error = await readText(`${address}/none.csv`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CVKitError);
    const message = `\`path\` must be a URL that can be fetched. Got status 404 from ${address}/none.csv.`;
    expect(error).toMatchObject({ code: 'unreadable_file', message });
    const gone = readText('http://127.0.0.1:1/data.csv');
    await expect(gone).rejects.toMatchObject({ code: 'unreadable_file', cause: expect.any(Error) });
    const reason = new Error('closed');
    await expect(readText(`${address}/data.csv`, AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it('the terminal logs whole lines, and nothing for a bare line end; there is no folder for a cache', () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    try {
      terminal.write('fold 1\n');
      terminal.write('\n');
      expect(log.mock.calls).toEqual([['fold 1']]);
    } finally {
      log.mockRestore();
    }
    expect([terminal.isTTY, terminal.columns, cacheHome()]).toEqual([false, 80, undefined]);
  });
});
