/**
 * Version of this package, as in package.json (a test holds them together).
 *
 * @example
 * console.log(VERSION);
 */
export const VERSION = '0.1.0';
