import { existsSync } from 'node:fs';

/** Where Chromium is looked for; `CHROME_PATH` can name another place. */
export const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** @type {string | undefined} */
export const chromiumPath = process.env.CHROME_PATH ?? PLACES.find((place) => existsSync(place));
