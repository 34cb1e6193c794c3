/** Makes the backends of tfjs start without a connection: their WebAssembly is part of the script. */
import wasmUrl from '@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm?url&inline';

/** Before the first network; WebGPU is loaded where it is asked for. */
export async function prepareBackends(backend: string): Promise<void> {
  const tf = await import('@tensorflow/tfjs');
  const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm');
  // One thread, as in Node: with several, sums are made in another order.
  tf.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false);
  tf.env().platform.fetch = async (path) => {
    if (!path.endsWith('tfjs-backend-wasm-simd.wasm')) throw new Error(`This page loads nothing: ${path}`);
    return new Response(bytesOf(wasmUrl));
  };
  setWasmPaths('embedded:', true);
  if (backend === 'webgpu') await import('@tensorflow/tfjs-backend-webgpu');
}

const bytesOf = (dataUrl: string) =>
  Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
