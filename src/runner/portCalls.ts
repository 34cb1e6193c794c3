import { type ErrorRecord, errorOf, errorRecord } from '../core/errorRecord.js';
import { isSharedMemory } from '../core/sharedMemory.js';

type Call = { readonly call: number; readonly name: string; readonly args: readonly unknown[] };
type Answer = { readonly answer: number; readonly value?: unknown; readonly error?: ErrorRecord };

// biome-ignore lint/suspicious/noExplicitAny: the types are those of the two functions at the ends of the port
type Handler = (...args: any[]) => Promise<unknown>;
export type Handlers = Readonly<Record<string, Handler>>;

/** A `MessagePort`, or the channel between two processes: posting to an end that is closed does nothing. */
export interface Port {
  postMessage(message: unknown): void;
  // biome-ignore lint/suspicious/noExplicitAny: calls and answers
  on(event: 'message' | 'close', listener: (message: any) => void): unknown;
  close(): void;
}

export interface PortCalls {
  /** Calls the handler of that name at the other end; rejects with what it threw, or when the port closes. */
  call<R>(name: string, ...args: readonly unknown[]): Promise<R>;
  close(): void;
}

/** Answers calls by `handlers` and lets this end call the other one's. */
export function portCalls(port: Port, handlers: Handlers): PortCalls {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  let calls = 0;
  let closed = false;
  const refused = () => new Error('The other end of the port is closed.');
  const answer = async ({ call, name, args }: Call) => {
    try {
      port.postMessage({ answer: call, value: await handlers[name](...args) } satisfies Answer);
    } catch (error) {
      port.postMessage({ answer: call, error: errorRecord(error) } satisfies Answer);
    }
  };
  port.on('message', (message: Call | Answer) => {
    // A model may send words of its own by the channel of its process.
    if (typeof message !== 'object' || message === null) return;
    if ('call' in message) return void answer(message);
    const request = waiting.get(message.answer);
    waiting.delete(message.answer);
    if (message.error) request?.reject(errorOf(message.error));
    else request?.resolve(message.value);
  });
  port.on('close', () => {
    closed = true;
    for (const { reject } of waiting.values()) reject(refused());
    waiting.clear();
  });
  return {
    call: <R>(name: string, ...args: readonly unknown[]) =>
      new Promise<R>((resolve, reject) => {
        if (closed) throw refused();
        calls++;
        port.postMessage({ call: calls, name, args } satisfies Call);
        waiting.set(calls, { resolve: resolve as (value: unknown) => void, reject });
      }),
    close: () => port.close(),
  };
}

/** Plain data whose typed arrays own their memory: sending a view would send the whole buffer behind it. */
export function trimmed<T>(value: T): T {
  if (ArrayBuffer.isView(value)) {
    const isPart = value.byteLength < value.buffer.byteLength && !isSharedMemory(value.buffer);
    return isPart ? ((value as unknown as Int32Array).slice() as T) : value;
  }
  if (Array.isArray(value)) return value.map(trimmed) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, trimmed(each)])) as T;
}
