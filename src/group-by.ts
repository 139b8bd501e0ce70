/** Groups items by a key, in the order of their first occurrence. */
export function groupBy<Item>(items: readonly Item[], getKey: (item: Item) => string) {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = getKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}
