/** The players of the demo platform and the money that they move. */

const ACCOUNTS = [
  "xiaolong88",
  "lucky_mei",
  "hongyun2026",
  "ah_qiang",
  "sunnyday",
  "mr_zhou",
  "dafacai168",
  "feifei520",
  "guangdong_lao",
  "tiger1998",
  "moonlight77",
  "chen_yu",
  "laowang01",
  "jinli666",
  "snowfox",
  "beijing_boy",
  "kaixin_guo",
  "nanhai12",
  "zhangwei_a",
  "panda_bao",
  "rainbow_li",
  "wuxi_fish",
  "tea_master",
  "hao_yun_lai",
  "amber_lin",
  "sichuan_la",
  "blue_whale",
  "jiangnan99",
  "xu_dong",
  "milk_tea7",
  "dongfang_k",
  "yueguang",
  "linlin0304",
  "big_head_he",
  "starfish_q",
  "taishan_5",
  "xiaomeng",
  "old_captain",
  "hu_die_er",
  "fuzhou_chen",
  "peach_z",
  "king_of_mj",
  "liuliu66",
  "windy_hill",
  "qianduoduo",
  "sea_breeze",
  "yang_guang",
  "a_bao_888",
  "north_star",
  "hangzhou_xu",
  "little_fatty",
  "ning_jing",
  "golden_oak",
  "pingan_fu",
  "sam_tsang",
  "bamboo_88",
  "cai_yun",
  "dream_catch",
  "tang_tang",
  "zhen_hao_1",
] as const;

export interface Player {
  readonly player_id: string;
  readonly user_name: string;
}

export const PLAYERS: readonly Player[] = ACCOUNTS.map((user_name, index) => ({
  player_id: `demo-${String(index + 1).padStart(3, "0")}`,
  user_name,
}));

/** Whole yuan that people deposit, the usual ones more often. */
const DEPOSITS = [20, 30, 50, 50, 50, 100, 100, 100, 100, 200, 200, 300, 500, 500, 1000] as const;

/** A whole number of `least` … `most`. */
export function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least + 1));
}

export function pick<T>(list: readonly [T, ...T[]] | readonly T[]): T | undefined {
  return list[between(0, list.length - 1)];
}

/** Cents of a deposit: round, but for the few that pay odd amounts. */
export function depositCents(): number {
  const odd = Math.random() < 0.1 ? between(1, 99) : 0;
  return (pick(DEPOSITS) ?? 100) * 100 + odd;
}

/** Cents of a valid bet: 5.00 … about 250.00, small ones more often. */
export function betCents(): number {
  return 500 + Math.floor(24_500 * Math.random() ** 3);
}
