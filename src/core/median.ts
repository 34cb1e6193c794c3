/** The median of numbers without NaN. Sorts no further than it must (Hoare's selection), on a copy. */
export function median(values: Float64Array): number {
  const numbers = values.slice();
  const half = numbers.length >> 1;
  const above = placed(numbers, half);
  if (numbers.length % 2 === 1) return above;
  let below = numbers[0];
  for (let at = 1; at < half; at++) if (numbers[at] > below) below = numbers[at];
  return above - (above - below) / 2;
}

/** The number that would be at this place if all were sorted; the smaller ones are then before it. */
function placed(numbers: Float64Array, place: number): number {
  let [from, to] = [0, numbers.length - 1];
  while (from < to) {
    const pivot = numbers[(from + to) >> 1];
    let [left, right] = [from, to];
    while (left <= right) {
      while (numbers[left] < pivot) left++;
      while (numbers[right] > pivot) right--;
      if (left > right) break;
      const number = numbers[left];
      numbers[left++] = numbers[right];
      numbers[right--] = number;
    }
    if (place <= right) to = right;
    else if (place >= left) from = left;
    else break;
  }
  return numbers[place];
}
