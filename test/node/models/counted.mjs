import { appendFileSync, readFileSync } from 'node:fs';

/** Learns a share among some rows. Writes a line to the file `FITS` for each fit; the one after `BREAKS_AFTER` lines throws. */
class Counted {
  async fit(X, y) {
    const { FITS, BREAKS_AFTER } = process.env;
    if (BREAKS_AFTER && readFileSync(FITS, 'utf8').length >= 2 * Number(BREAKS_AFTER)) {
      if (process.env.KILLED) process.kill(process.pid, 'SIGKILL');
      throw new Error('broken off');
    }
    if (FITS) appendFileSync(FITS, '1\n');
    const chosen = y.filter((_, row) => X[row][0] > 0);
    this.share = chosen.filter((label) => label === 1).length / Math.max(1, chosen.length);
    return this;
  }

  predictProba(X) {
    return X.map(([first, second]) => {
      const p = first > 0 ? this.share : (1 - this.share) / (2 + Math.abs(second));
      return [1 - p, p];
    });
  }
}

export default () => new Counted();
