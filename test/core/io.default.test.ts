import { describe, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { cacheHome, readBytes, readText, terminal } from '../../src/core/io.default.js';
import { fileServer } from '../helpers/fileServer.js';

const server = fileServer();
server.answer = ({ url }, response) =>
  url === '/data.csv' ? response.end('age,µg\n61,3\n') : response.writeHead(404).end('no');

describe('without Node', () => {
  it('a URL is fetched, as UTF-8 and as bytes', async () => {
    expect(await readText(`${server.address}/data.csv`)).toBe('age,µg\n61,3\n');
    expect(new TextDecoder().decode(await readBytes(new URL(`${server.address}/data.csv`)))).toBe('age,µg\n61,3\n');
  });

  it('an error says what the server answered, and keeps the cause when there is none', async () => {
    const error = await readText(`${server.address}/none.csv`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CVKitError);
    const message = `\`path\` must be a URL that can be fetched. Got status 404 from ${server.address}/none.csv.`;
    expect(error).toMatchObject({ code: 'unreadable_file', message });
    const gone = readText('http://127.0.0.1:1/data.csv');
    await expect(gone).rejects.toMatchObject({ code: 'unreadable_file', cause: expect.any(Error) });
    const reason = new Error('closed');
    await expect(readText(`${server.address}/data.csv`, AbortSignal.abort(reason))).rejects.toBe(reason);
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
