/**
 * What two people have made of one text: of the lines between those that nobody has changed, each comes from the side that has changed
 * it. Null where both have changed the same.
 */
export function merged(base, mine, theirs) {
  const [old, own, other] = [base, mine, theirs].map(text => text.split("\n"));
  const inOwn = places(old, own), inOther = places(old, other), result = [];
  let from = [0, 0, 0];
  for (let at = 0; at <= old.length; at++) {
    const isEnd = at === old.length;
    if (!isEnd && (inOwn[at] === undefined || inOther[at] === undefined)) continue;
    const to = isEnd ? [at, own.length, other.length] : [at, inOwn[at], inOther[at]];
    const [was, here, there] = [old, own, other].map((lines, side) => lines.slice(from[side], to[side]));
    const same = (left, right) => left.length === right.length && left.every((line, index) => line === right[index]);
    if (same(was, here)) result.push(...there);
    else if (same(was, there) || same(here, there)) result.push(...here);
    else return null;
    if (!isEnd) result.push(old[at]);
    from = to.map(place => place + 1);
  }
  return result.join("\n");
}

/** Where the lines of the longest common part of both stand in `next`, by their place in `old`. */
function places(old, next) {
  const length = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i--) for (let j = next.length - 1; j >= 0; j--) {
    length[i][j] = old[i] === next[j] ? length[i + 1][j + 1] + 1 : Math.max(length[i + 1][j], length[i][j + 1]);
  }
  const found = [];
  for (let i = 0, j = 0; i < old.length && j < next.length;) {
    if (old[i] === next[j]) found[i++] = j++;
    else if (length[i + 1][j] >= length[i][j + 1]) i++;
    else j++;
  }
  return found;
}
