/**
 * The labels behind classes that a manifest may call by their numbers (`number 1` for an id). Undefined where the labels at
 * hand lack a class, and so do not show which is which. `classes` ascend by label.
 */
export function labelsBehind<L>(classes: readonly L[], labels: readonly L[]): readonly L[] | undefined {
  const own = [...new Set(labels)].sort((a, b) => (a < b ? -1 : 1));
  if (own.every((label) => classes.includes(label))) return classes;
  return own.length === classes.length ? own : undefined;
}
