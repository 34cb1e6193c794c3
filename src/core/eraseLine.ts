import { terminal } from '#io';

/** Empties the line that the cursor stands in, where lines can be drawn again, and writes `text` in its place. */
export const eraseLine = (text = ''): void => terminal.write(`${terminal.isTTY ? '\r\u001b[2K' : ''}${text}`);
