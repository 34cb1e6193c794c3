export class JournalStorage {
  constructor(_p: unknown) {}
}
