/** Pooling and its gradients on plain numbers, for the backends that have it wrong. */
import { forEachWindow, type Windows } from './windows.js';

/** Writes the maximum of every window, whatever its sign. A window without a pixel leaves `y` as it is. */
export function maxPool(windows: Windows, x: Float32Array, y: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let maximum = Number.NEGATIVE_INFINITY;
      for (let at = 0; at < count; at++) {
        const value = x[places[at] + channel];
        if (value > maximum || Number.isNaN(value)) maximum = value;
      }
      y[position * channels + channel] = maximum;
    }
  });
}

/** Adds each window's gradient to its first maximum. */
export function maxPoolGradient(windows: Windows, x: Float32Array, dy: Float32Array, dx: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let place = places[0] + channel;
      for (let at = 1; at < count; at++) {
        if (x[places[at] + channel] > x[place]) place = places[at] + channel;
      }
      dx[place] += dy[position * channels + channel];
    }
  });
}

/** Writes the mean of the pixels of every window; padding does not count. */
export function averagePool(windows: Windows, x: Float32Array, y: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      let sum = 0;
      for (let at = 0; at < count; at++) sum += x[places[at] + channel];
      y[position * channels + channel] = sum / count;
    }
  });
}

/** Shares each window's gradient among its pixels; padding does not count. */
export function averagePoolGradient(windows: Windows, dy: Float32Array, dx: Float32Array): void {
  const { channels } = windows;
  forEachWindow(windows, (position, places, count) => {
    for (let channel = 0; channel < channels; channel++) {
      const share = dy[position * channels + channel] / count;
      for (let at = 0; at < count; at++) dx[places[at] + channel] += share;
    }
  });
}
