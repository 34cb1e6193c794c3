/** Properties that objects have for a while. */
export interface Override {
  readonly target: object;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Puts all of them in place. What it returns puts back what was there before, own or inherited. */
export function override(overrides: readonly Override[]): () => void {
  const replaced = overrides.map(({ target, properties }) => {
    const before = Object.keys(properties).map((key) => [key, Object.getOwnPropertyDescriptor(target, key)] as const);
    Object.assign(target, properties);
    return { target, before };
  });
  return () => {
    // The last one first: a layer that a model holds twice is replaced twice.
    for (const { target, before } of replaced.reverse()) {
      for (const [key, own] of before) {
        if (own) Object.defineProperty(target, key, own);
        else Reflect.deleteProperty(target, key);
      }
    }
  };
}
