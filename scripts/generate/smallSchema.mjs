/** api-schema.small.json: every public name with its call and its first sentence, small enough to be read as a whole. */
import { callText, brief as sentenceOf } from './reference/words.mjs';

const COMMENT =
  "Every public name of cvkit by entry: import { NAME } from 'ENTRY'. Of a name: [call with defaults, first sentence], of a class its " +
  'methods, too. `a = 1` is a default, `a?` may be left out, braces are options, `...` stands for further ones. A type has its first ' +
  'sentence alone. Descriptions of all options, and what calls give, are in api-schema.json; a page for each name is on the site.';

/** Options of a call that stand here; the large calls have more, which are in api-schema.json. */
const WIDE = 220;

export function smallSchema({ schema, api, tables }) {
  const call = (name, params, isClass = false) => callText(name, params, tables, { isClass, wide: WIDE });
  const entries = {};
  const add = ({ name, from }, row) => {
    entries[from] ??= {};
    entries[from][name] ??= row;
  };
  const shared = sharedMethods(api.classes);
  for (const part of [api, api.more]) {
    for (const each of part.classes) {
      const own = each.methods.filter(
        ({ name }) => !shared.has(name) && !(each.hooks && /^(on[A-Z]|forFold|setup|teardown)/.test(name)),
      );
      const methods = own.map((method) => callText(method.name, method.params, tables, { wide: 60 }));
      const made = each.typeOnly ? each.name : call(each.name, each.params, true);
      add(each, [made, brief(each.description), ...(methods.length > 0 ? [methods] : [])]);
    }
    for (const each of part.functions) add(each, [call(each.name, each.params), brief(each.description)]);
    for (const each of part.values) add(each, [each.name, brief(each.description)]);
    for (const each of part.interfaces) add(each, each.description ? brief(each.description) : '');
  }
  return {
    $comment: COMMENT,
    name: schema.name,
    version: schema.version,
    install: schema.install,
    entries,
    metrics: named(schema.metrics, 'name'),
    ci_methods: named(schema.ci_methods, 'name'),
    checks: named(schema.checks, 'code'),
  };
}

const named = (rows, key) => Object.fromEntries(rows.map((row) => [row[key], brief(row.description)]));

/** First sentence; what stands in brackets, or after a long first clause, can be read elsewhere. */
const brief = (text) => sentenceOf(text.replace(/ \([^()]*\)/g, ''), 80);

/** Names of methods that many classes have, such as `toJSON`: they are in api-schema.json. */
function sharedMethods(classes) {
  const counts = new Map();
  for (const { methods } of classes) for (const { name } of methods) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > 15).map(([name]) => name));
}
