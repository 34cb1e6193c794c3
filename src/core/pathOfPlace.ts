import { InvalidOptionError, kindOf, sentence } from './errors.js';
import type { Files } from './io.js';

/** The path behind a path or a `file:` URL, without a slash at its end. */
export function pathOfPlace(where: string): string {
  const isURL = /^file:\/\/\//i.test(where);
  // `file://models` is how TensorFlow.js writes a relative path; `file:///C:/models` is C:/models.
  const path = isURL
    ? decodeURIComponent(new URL(where).pathname).replace(/^\/(?=[A-Za-z]:)/, '')
    : where.replace(/^file:\/\//i, '');
  return path.replace(/(?<![/\\])[/\\]+$/, '');
}

/** The path of a place on disk; undefined for another address (`indexeddb://model`) and for a handler of a framework. */
export function filePlace(where: unknown): string | undefined {
  const text = where instanceof URL ? where.href : where;
  if (typeof text === 'string' && text.trim() === '') {
    throw new InvalidOptionError(sentence('A place', 'be a path or a URL', kindOf(text)), { code: 'invalid_place' });
  }
  return typeof text === 'string' && !/^(?!file:)[a-z][a-z\d+.-]+:\/\//i.test(text) ? pathOfPlace(text) : undefined;
}

/** The name of a place in the IndexedDB of a page: `final` of `indexeddb://final`; undefined for another address. */
export const pagePlace = (where: unknown): string | undefined =>
  typeof where === 'string' || where instanceof URL ? /^indexeddb:\/\/(.+)$/is.exec(String(where))?.[1] : undefined;

/**
 * The path of a file that another file names, relative to its `folder` (`''` or with a slash at its end); undefined where that
 * leads out of the folder, also by a link.
 */
export async function pathWithin(files: Files, folder: string, name: unknown): Promise<string | undefined> {
  if (typeof name !== 'string' || name.split(/[/\\]/).includes('..') || /^([/\\]|[a-z]+:)/i.test(name))
    return undefined;
  const [base, target] = await Promise.all(
    [`${folder}./`, folder + name].map((path) => files.realpath(path).catch(() => '')),
  );
  const isInside = target === '' || (target.startsWith(base) && /[/\\]$/.test(target.slice(0, base.length + 1)));
  return isInside ? folder + name : undefined;
}

/** The file: URL, on this machine, of an absolute path (`/a/model.js`, `C:\\a\\model.js`) or of itself; undefined for anything else. */
export function fileUrlOf(named: string | URL): string | undefined {
  const name = String(named);
  if (/^file:/i.test(name)) return URL.canParse(name) && new URL(name).host === '' ? name : undefined;
  const path = /^[A-Za-z]:[\\/]/.test(name) ? `/${name.replaceAll('\\', '/')}` : name;
  // Two slashes would name another machine.
  if (!/^\/(?!\/)/.test(path)) return undefined;
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  return `file://${encoded.replace(/^\/([A-Za-z])%3A/, '/$1:')}`;
}

/** Of a page or a worker of one; undefined in Node, and in pages that are files. */
const pageUrl = () => (/^http/.test(globalThis.location?.protocol) ? globalThis.location : undefined);

/** What {@link moduleUrlOf} takes, in messages. */
export const modulePlaces = (): string =>
  `the ${pageUrl() ? "URL of a module of the page's own origin" : 'absolute path or file: URL of a module'}`;

/**
 * The URL of a module whose code may run here: a file of this machine ({@link fileUrlOf}) or, in a page, a module of its own
 * origin, which may be relative to the page (`./model.js`). Undefined for anything else: it would be code from elsewhere.
 */
export function moduleUrlOf(named: string | URL): string | undefined {
  const page = pageUrl();
  if (!page) return fileUrlOf(named);
  const name = String(named);
  if (!/^(\.{0,2}\/|https?:)/i.test(name) || !URL.canParse(name, page.href)) return undefined;
  const { origin, href } = new URL(name, page.href);
  return origin === page.origin ? href : undefined;
}

/** Of a module, as {@link moduleUrlOf} gives it. */
export const exportOf = async (url: string, name = 'default'): Promise<unknown> =>
  (await import(/* @vite-ignore */ /* webpackIgnore: true */ url))[name];
