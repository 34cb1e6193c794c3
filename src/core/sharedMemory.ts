/** Pages have none unless their server isolates them. */
export const hasSharedMemory: boolean = typeof SharedArrayBuffer !== 'undefined';

export const isSharedMemory = (buffer: ArrayBufferLike): boolean =>
  hasSharedMemory && buffer instanceof SharedArrayBuffer;
