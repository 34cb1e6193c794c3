/**
 * What may happen to a thread or process in the second fold. `adapterOptions` are not for factories, so a module-wide word
 * tells; with `once` it happens while there is no such file.
 */
import { existsSync, writeFileSync } from 'node:fs';

const about = new URL(import.meta.url).searchParams;
const trouble = about.get('trouble');
const once = about.get('once');
const held = [];

export default ({ index }) => ({
  async fit() {
    if (trouble === 'late' && index === 3) {
      setTimeout(() => {
        throw new Error('too late');
      }, 300);
    }
    if (index !== 1 || (once && existsSync(once))) return;
    if (once) writeFileSync(once, String(process.pid));
    if (trouble === 'words') for (const word of ['a word', 7, null, {}]) process.send(word);
    if (trouble === 'exit') process.exit(3);
    if (trouble === 'throw') throw new Error('no fit today');
    if (trouble === 'loop') for (;;);
    if (trouble === 'kill') process.kill(process.pid, 'SIGKILL');
    if (trouble === 'memory') for (;;) held.push(Buffer.alloc(2 ** 22, 1));
    if (trouble === 'stray') {
      setTimeout(() => {
        throw new Error('nobody catches this');
      }, 0);
      await new Promise((resolve) => setTimeout(resolve, 10_000));
    }
  },
  predict: (X) => X.map(([first]) => Number(first > 0)),
});
