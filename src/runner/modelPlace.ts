/** Where the models of a run are saved: one place per fold. */
import { atOnce, InvalidOptionError, sentence } from '../core/errors.js';
import { pathSegment } from '../core/foreignText.js';
import type { ModelPlace } from './frameworkAdapter.js';
import type { PlaceContext, PlaceOption } from './placeOption.js';

export function placeFor(option: PlaceOption, ctx: PlaceContext): ModelPlace {
  // Ids should be safe already, but in a path they are checked again.
  if (typeof option === 'string')
    return option.replaceAll('{fold}', pathSegment(ctx.fold)).replaceAll('{epoch}', String(ctx.epoch));
  const subject = 'The function that gives the place of a model';
  const place: unknown = atOnce(option(ctx), subject, InvalidOptionError);
  if ((typeof place === 'string' && place !== '') || (typeof place === 'object' && place !== null)) return place;
  throw new InvalidOptionError(sentence(subject, 'return a path, a URL or a handler', place));
}

/** Refuses a path that would be the same for every fold. */
export function refuseOnePlace(option: PlaceOption, nFolds: number, subject: string): void {
  if (typeof option === 'function' || nFolds === 1) return;
  const [one, another] = ['0', '1'].map((fold) => resolvedPlace(option.replaceAll('{fold}', fold)));
  if (one !== another) return;
  const way = option.includes('{fold}') ? 'Leave `..` out.' : `Use '${option}/{fold}'.`;
  const must = 'hold {fold}, so that no fold writes over another';
  throw new InvalidOptionError(sentence(subject, must, option, way), { code: 'one_place' });
}

/** A place to compare others with: of a path or URL, without `.`, `..` and double slashes; a handler is itself. */
export function resolvedPlace(place: ModelPlace): ModelPlace {
  if (typeof place !== 'string') return place;
  const [host = ''] = /^[a-z][a-z\d+.-]*:\/\/[^/]*/i.exec(place) ?? [];
  const path = place.slice(host.length).replaceAll('\\', '/');
  const root = path.startsWith('/') ? '/' : '';
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    const above = parts.length === 0 || parts[parts.length - 1] === '..';
    if (part !== '..' || (above && !root)) parts.push(part);
    else parts.pop();
  }
  return `${host}${root}${parts.join('/')}`;
}
