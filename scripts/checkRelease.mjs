/**
 * Before a release: the tag must be the version of package.json, CITATION.cff must have it, too, and CHANGELOG.md a heading for it with
 * its day. Prints what the changelog says of the version.
 *
 * Usage: node scripts/checkRelease.mjs v0.2.0
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** @returns what the changelog says of the version, or throws with what is wrong */
export function releaseNotes(tag, { version, changelog, citation }) {
  if (tag !== `v${version}`) throw new Error(`The tag must be v${version}, the version of package.json. Got ${tag}.`);
  if (!citation.split(/\r?\n/).includes(`version: ${version}`)) {
    throw new Error(`CITATION.cff must have the line 'version: ${version}'.`);
  }
  const parts = changelog.split(/^(?=## )/m).filter((part) => part.startsWith('## '));
  const own = parts.find((part) => /^## (\S+?),/.exec(part)?.[1] === version);
  const day = /^## \S+, (\d{4}-\d\d-\d\d)\s*$/m.exec(own ?? '')?.[1];
  if (!day || Number.isNaN(Date.parse(day))) {
    throw new Error(`CHANGELOG.md must have a heading with the day, '## ${version}, 2026-01-31'.`);
  }
  const notes = own.slice(own.indexOf('\n')).trim();
  if (notes === '') throw new Error(`CHANGELOG.md must say something of ${version}.`);
  return notes;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');
  const { version } = JSON.parse(textOf('package.json'));
  try {
    const facts = { version, changelog: textOf('CHANGELOG.md'), citation: textOf('CITATION.cff') };
    console.log(releaseNotes(process.argv[2], facts));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
