/* SPDX-License-Identifier: MIT
 *
 * The triangles of each kind of cell, as T. Lewiner et al., Efficient implementation of marching cubes' cases with topological guarantees, Journal
 * of Graphics Tools 8 (2003), has them for a mask; see region_surface_cells.h for the characters. Made by scripts/surface_cells.py.
 */
#include "kernels/regions/region_surface_cells.h"

/* clang-format off */
const char *const surface_triangles[SURFACE_CELLS] = {
  "", "djb", "hpd", "hpbbpj", "jvt", "bdttdv", "pvhvthjdhjht", "vtpthptbh", "pzv", "vjzjbzdpzdzb", "dhvvhz", "jbvbzvbhz", "tjzzjp", "pzdzbdztb",
  "dhjhtjhzt", "htbhzt", "lfb", "djffjl", "dbpblpfhpfpl", "hpfplfpjl", "tlvlfvbjvbvf", "lftfvtfdv", "pvjtjvjtljlbfblbfdhdfdhpdpj", "pvtptlhplfhl",
  "lfbzvp", "dpfzfpfzlvlzlvj", "dbvlvbvlzfzlzfh", "hzfzjfjlfzvj", "tlzfzlzfpbpfpbj", "ztldzlfdlzdp", "jdbhlflhtzth", "tlfhtfzth", "rhf",
  "hdrdjrbfrbrj", "frddrp", "frbrjbrpj", "rhfvtj", "bftrtftrvhvrvhd", "fjdjftrtftrvpvr", "rpfptftbftpv", "phvhfvrzvrvf",
  "rzpvpzpvjpjdbdjdbhfhbhfrhrp", "zvrvfrvdf", "zvrrvfvjfjbf", "trzrtfjftfjhphj", "hdpfrbzbrbzt", "dfjfzjztjfrz", "bfrzbrtbz", "rhllhb", "djhjrhjlr",
  "bldlpdlrp", "rjlpjr", "bjhvhjhvrtrvrtl", "lrhvlhdvhtlv", "jdbvtplptplr", "pvtlptrpl", "bphpbvlvbvlzrzl", "phdzvrjrvrjl", "vdbrvblrbvrz",
  "rzvjrvlrj", "pbjbphtlzrzl", "tnztpnptdldtdlhnhllrnnrzphn", "tnznjzdzjzdrbrdrbnnlrtlnnbj", "tlrtrz", "txl", "jtdtxdlbdldx", "txlpdh",
  "hlblhxpxhxptjtp", "jvllvx", "bdldxldvx", "xpvpxhlhxhldjdl", "vxlhvlbhlpvh", "zxpxlptvptpl", "jdpdjblbjtljltxvxtxvzpzvjpv", "dtvtdlhldlhxzxh",
  "tvjxlzbzlzbh", "xlzlpzljp", "pzddzbzxbxlb", "ljxjhxhzxhjd", "zxlbzlhzb", "txbbxf", "txjxdjxfd", "fhxpxhxptdtptdb", "xfhjxhpjhxjt", "jvbvfbvxf",
  "dxfvxd", "dbjhpfvfpfvx", "fhpvfpxfv", "fzxzfpbpfpbvtvb", "jtvxpzpxdfdx", "fhxzxhtdbdtv", "znhnvhjhvhjftfjftnnxfzxnntv", "jpbpxbxfbpzx",
  "dpzxdzfdx", "znhzdndzjxjzjxbnbxxfnnfhdbn", "zxfzfh", "xrtrhtfltfth", "jtlxltlxrlrfhfrfhbdbhbdjbjl", "fldtdldtpxptpxr", "lbftxjrjxjrp",
  "xrvhvrvhjfjhjfl", "lbfdrhrdxvxd", "xrvpvrjflfjd", "xnvnlvbvlvbpfpbpfnnrpxrnnfl", "rflfrhphrzprpzvxvzvxtltxrlx", "jtvhdplbfrzx", "rzxvltlvfdfv",
  "bflzxrtvj", "zxrlhfhlpjpl", "rzxphdlbf", "fndnrdzdrdzjxjzjxnnljflnnxr", "lbfxrz", "rhxhtxhbt", "xrhxhdtxdjtd", "btxpbxrpxdbp", "jtxrjxpjr",
  "hbjxhjvxjhxr", "xrhdxhvxd", "xnvxjnjxbrbxbrdndrrpnnpvjdn", "xrpxpv", "zxrvpthtpthb", "hdptvjzxr", "tnbnxbrbxbrdzdrdznnvdtvnnzx", "xrztvj",
  "bnhbrnrbxjxbxjznzjjpnnphrzn", "hdprzx", "bjdxrz", "zxr", "xzr", "djbzrx", "zpxpdxhrxhxd", "hrbxbrbxjzjxjzp", "vzjzrjxtjxjr", "bxtxbrdrbrdzvzd",
  "phrhpdjdpvjpjvtztvtzxrxzprz", "pvztrxrthbht", "rxppxv", "vjxbxjxbrdrbrdp", "rxhxdhxvd", "bhjhxjxvjxhr", "tjxjrxjpr", "tbxbpxprxbdp",
  "rxhhxdxtdtjd", "hrxthxbht", "rfzfbzzblxzl", "drfrdzjzdzjxlxj", "lxrzrxrzprphdhphdfbfdfblflr", "rfhxzlplzlpj", "lbjblfrflxrlrxztzxztvjvtljt",
  "xtlzrvfvrvfd", "pvzfhrjdblxt", "fhrvzpxtl", "vlxlvbpbvbpfrfp", "vlxlvjrfpdpf", "fhrbldxdldxv", "vnxvrnrvhjhvhjfnfjjlnnlxrfn", "xtljfbfjrprj",
  "dnfdlnldtptdtpxnxpprnnrflxn", "lxtrfhjdb", "fhrlxt", "xzffzh", "hdzjzdzjxbxjxbf", "pdzdxzdfx", "pjbxpbfxbzpx", "hvzvhjfjhjftxtf", "vhdhvzbftxtf",
  "vzptjxdxjxdf", "xnfnzfpfzfpbvbpbvnntbxtnnvz", "hfpfvpfxv", "phdfjbjfvxvf", "xdfxvd", "vjbfvbxvf", "fxhxjhjphjxt", "xnfxhnhxptpxptdndttbnnbfhdn",
  "xtjdxjfxd", "xtbxbf", "xzlzblzhb", "jlxhjxzhxjhd", "zpdzdbxzblxb", "lxzplzjlp", "lxtzjvjzbhbz", "vndntdldtdlhxhlhxnnzhvznnxt", "dbjxtlvzp",
  "tlxvzp", "xvlvhlhblvph", "vnxnpxhxpxhldlhldnnjlvjnndp", "dblxdlvdx", "vjlvlx", "bnhnlhxhlhxptpxptnnjpbjnntl", "lxthdp", "lxtbjd", "xtl", "ltrrtz",
  "zjtjzdrdzdrblbr", "zptdtptdlhldlhr", "lbrhrbzjtjzp", "zrvrjvrlj", "dvbvrbrlbrvz", "vzprdhdrjljr", "hnbnpbvbpbvlzlvlznnrlhrnnzp", "vptpltprl",
  "tvjpbdbplrlp", "rlhlvhvdhltv", "hnbhjnjhvrvhvrtntrrlnnlbjtn", "jrljpr", "lbdpldrlp", "jdhrjhljr", "hrlhlb", "fbrbzrbtz", "fdjzfjtzjrfz",
  "rfhbpdpbztzb", "zntnrtftrtfjhjfjhnnpjzpnnhr", "vzrvrfjvfbjf", "vzrfvrdvf", "pvzjdbrfh", "rfhzpv", "prftpfbtfptv", "dnfnjftfjftrvrtrvnnprdpnnvj",
  "tnbtfnftrvrtrvhnhvvdnndbfhn", "fhrjtv", "rfbjrbprj", "rfdrdp", "bjdfhr", "hrf", "ltfthftzh", "bfldjhthjhtz", "tzlzdldfldzp",
  "zntzlnlzfpfzfpbnbppjnnjtlbn", "zhfjzfljfvzj", "vndvbnbvlzlvlzfnfzzhnnhdbfn", "fndfpnpfzlzfzlvnvlljnnjdpvn", "bflpvz", "vpttplphlhfl", "jtvlbfphd",
  "fltvftdfv", "bfljtv", "phflpfjpl", "flbhdp", "jdfjfl", "flb", "thbzht", "hdjthjzht", "zpdbzdtzb", "jtzjzp", "bjvzbvhbz", "hdvhvz", "dbjpvz", "zpv",
  "tvphtpbth", "jtvdph", "dbtdtv", "vjt", "phbpbj", "phd", "jdb", "",
};
