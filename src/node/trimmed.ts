/** Plain data whose typed arrays own their memory: sending a view would send the whole buffer behind it. */
export function trimmed<T>(value: T): T {
  return (
    ArrayBuffer.isView(value)
      ? alone(value)
      : Array.isArray(value)
        ? value.map(trimmed)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, trimmed(each)]))
          : value
  ) as T;
}

const alone = (view: ArrayBufferView) =>
  view.byteLength < view.buffer.byteLength && !(view.buffer instanceof SharedArrayBuffer)
    ? (view as Int32Array).slice()
    : view;
