/** Modules of the caller, named by a path or a file: URL: what another thread can load, too. */

/** The file: URL, on this machine, of an absolute path (`/a/model.js`, `C:\\a\\model.js`) or of itself; undefined for anything else. */
export function fileUrlOf(named: string | URL): string | undefined {
  const name = String(named);
  if (/^file:/i.test(name)) return URL.canParse(name) && new URL(name).host === '' ? name : undefined;
  const path = /^[A-Za-z]:[\\/]/.test(name) ? `/${name.replaceAll('\\', '/')}` : name;
  // Two slashes would name another machine.
  if (!/^\/(?!\/)/.test(path)) return undefined;
  return `file://${path
    .split('/')
    .map(encodeURIComponent)
    .join('/')
    .replace(/^\/([A-Za-z])%3A/, '/$1:')}`;
}

/** An export of such a module; undefined where it has none of that name. URLs of other kinds (`data:`, `http:`) would run code from elsewhere. */
export async function exportOf(fileUrl: string, name = 'default'): Promise<unknown> {
  const module: Readonly<Record<string, unknown>> = await import(/* @vite-ignore */ fileUrl);
  return module[name];
}
