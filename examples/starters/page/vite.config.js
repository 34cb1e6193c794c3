import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  // While you write: the worker of cvkit stands beside its modules, which must stay where they are.
  // What it needs of CommonJS is made modules.
  optimizeDeps: {
    exclude: ['cvkit'],
    include: ['cvkit > seedrandom/lib/alea.js', 'cvkit > eventemitter3', 'cvkit > ml-matrix'],
  },
  worker: { format: 'es' },
  build: {
    rolldownOptions: {
      // The model is an entry of its own: each worker loads it by its address.
      input: ['index.html', 'model.js'],
      preserveEntrySignatures: 'exports-only',
      output: { entryFileNames: '[name].js' },
    },
  },
});
