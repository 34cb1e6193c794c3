/** Wall time of `work`, and the time of processors that it took, in milliseconds; with its result. */
export async function timed(work) {
  const [started, used] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - started, cpu: (user + system) / 1000, result };
}
