/**
 * Writes the hover text of the published option types. The compiler knows an option type as `InputOf<typeof table>`,
 * which has no place for comments; here each becomes an object type whose properties bear the sentence, range and
 * default of the table, and take their types from it as before.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { loadTables } from './generate/loadTables.mjs';

const OPTION_TYPE = /^export type (\w+) = InputOf<typeof (\w+)>;$/gm;

/** Rewrites the declarations below `types`, a folder that mirrors the sources. */
export async function documentOptions(types) {
  const { tables } = await loadTables();
  for (const path of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.d.ts')) continue;
    const file = join(types, path);
    const declared = readFileSync(file, 'utf8');
    const documented = declared.replace(OPTION_TYPE, (_, type, constant) => {
      const owner = ownerOf(path.replace(/\.d\.ts$/, '.ts'), constant);
      const table = tables.get(owner);
      if (!table) throw new Error(`scripts/generate/tables.mjs must list the option table of ${owner}`);
      const members = Object.entries(table.shape).map(([name, option]) => memberOf(name, option, constant));
      return `export type ${type} = {\n${members.join('\n')}\n};`;
    });
    if (documented !== declared) writeFileSync(file, documented);
  }
}

/** The first argument of the `optionTable` call behind a constant: the owner of the table. */
function ownerOf(source, constant) {
  const file = ts.createSourceFile(source, readFileSync(source, 'utf8'), ts.ScriptTarget.ESNext);
  const declarations = file.statements
    .filter(ts.isVariableStatement)
    .flatMap((each) => each.declarationList.declarations);
  const table = declarations.find(({ name }) => name.text === constant);
  if (!table) throw new Error(`${source} declares no option table ${constant}`);
  return table.initializer.arguments[0].text;
}

function memberOf(name, { description, must, presence, defaultValue }, constant) {
  const lines = [
    description,
    `Must ${must}.`,
    ...(presence === 'defaulted' ? [`@default ${written(defaultValue)}`] : []),
  ];
  const text = lines.filter(Boolean).map((line) => `     * ${line.replaceAll('*/', '*\\/')}`);
  const mark = presence === 'required' ? '' : '?';
  return ['    /**', ...text, '     */', `    ${name}${mark}: InputOf<typeof ${constant}>['${name}'];`].join('\n');
}

/** A default as one would write it; a splitter gives its own text. */
function written(value) {
  if (typeof value === 'string') return `'${value}'`;
  return typeof value?.toJSON === 'function' ? value.toJSON() : JSON.stringify(value);
}
