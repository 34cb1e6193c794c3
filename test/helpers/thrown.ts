/** Code and message of what `work` throws, for snapshots. */
export async function thrown(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    return `${name} (${code}): ${message}`;
  }
  return 'nothing thrown';
}

/** A function that throws, for models and callbacks that do. */
export const throwing = (message: string) => (): never => {
  throw new Error(message);
};
