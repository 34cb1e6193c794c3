# Writes clinical.json beside this file: the references of test/metrics/clinicalMetrics.test.ts, clinical/*.test.ts,
# delongTest.test.ts and intervals/delong.test.ts. Run: Rscript test/reference/clinical.R
# (R packages pROC, epiR, clubSandwich, jsonlite)
#
# Proportions, likelihood ratios and odds ratio come from epiR, areas from pROC, logistic regressions from glm, the ratio
# estimator from clubSandwich (CR1, the factor m / (m - 1)). What no package has is written here from its paper, by
# another way than the package goes: derivatives by R's `deriv` or by central differences, placements by comparing every
# pair of rows.
suppressPackageStartupMessages({ library(pROC); library(epiR); library(clubSandwich) })
here <- dirname(sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)))
set.seed(5)
logit <- qlogis; expit <- plogis
tight <- glm.control(epsilon = 1e-15, maxit = 100)
limits <- function(est, lower, upper) list(estimate = est, lower = lower, upper = upper)
row3 <- function(x) limits(x[["est"]], x[["lower"]], x[["upper"]])

# ---- tables of independent rows ------------------------------------------------------------------------------------
wilson <- function(x, n, level = .95) { ci <- prop.test(x, n, conf.level = level, correct = FALSE)$conf.int; limits(x / n, ci[1], ci[2]) }
exact <- function(x, n, level = .95) { ci <- binom.test(x, n, conf.level = level)$conf.int; limits(x / n, ci[1], ci[2]) }
mover <- function(a, b, rho = 0) limits(
  a$estimate + b$estimate,
  a$estimate + b$estimate - sqrt((a$estimate - a$lower)^2 + (b$estimate - b$lower)^2 + 2 * rho * (a$estimate - a$lower) * (b$estimate - b$lower)),
  a$estimate + b$estimate + sqrt((a$upper - a$estimate)^2 + (b$upper - b$estimate)^2 + 2 * rho * (a$upper - a$estimate) * (b$upper - b$estimate)))
shift <- function(v, by) lapply(v, function(x) x + by)
scale <- function(v, by) lapply(v, function(x) x * by)
inverse <- function(v) limits(1 / v$estimate, 1 / v$upper, 1 / v$lower)
mercaldo <- function(tp, fp, fn, tn, p) {
  se <- tp / (tp + fn); sp <- tn / (tn + fp); n1 <- tp + fn; n0 <- tn + fp
  lp <- log(p * se / ((1 - p) * (1 - sp))); vp <- (1 - se) / se / n1 + sp / (1 - sp) / n0
  ln <- log((1 - p) * sp / (p * (1 - se))); vn <- se / (1 - se) / n1 + (1 - sp) / sp / n0
  z <- qnorm(.975)
  rho <- (1 / n1 + 1 / n0) / sqrt(vp * vn)
  ppv <- limits(expit(lp), expit(lp - z * sqrt(vp)), expit(lp + z * sqrt(vp)))
  npv <- limits(expit(ln), expit(ln - z * sqrt(vn)), expit(ln + z * sqrt(vn)))
  list(prevalence = p, ppv = ppv, npv = npv, gain = shift(mover(ppv, npv, rho), -1))
}
gradients <- list(
  f1 = deriv(~ 2 * tp / (2 * tp + fp + fn), c("tp", "fp", "fn", "tn")),
  mcc = deriv(~ (tp * tn - fp * fn) / sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)), c("tp", "fp", "fn", "tn")),
  kappa = deriv(~ 2 * (tp * tn - fp * fn) / ((tp + fp) * (fp + tn) + (tp + fn) * (fn + tn)), c("tp", "fp", "fn", "tn")))
fisher <- list(to = function(x) atanh(x), back = tanh, slope = function(x) 1 / (1 - x^2))
onLogit <- list(to = logit, back = expit, slope = function(x) 1 / (x * (1 - x)))
symmetric <- function(est, se, q, s) limits(est, s$back(s$to(est) - q * se * s$slope(est)), s$back(s$to(est) + q * se * s$slope(est)))
delta <- function(name, tp, fp, fn, tn) {
  found <- eval(gradients[[name]], list(tp = tp, fp = fp, fn = fn, tn = tn)); counts <- c(tp, fp, fn, tn)
  n <- if (name == "f1") tp + fp + fn else sum(counts)
  v <- n / (n - 1) * sum(counts * attr(found, "gradient")^2)
  symmetric(as.numeric(found), sqrt(v), qt(.975, n - 1), if (name == "f1") onLogit else fisher)
}
tables <- lapply(list(c(815, 115, 208, 327), c(45, 12, 5, 88), c(9, 3, 4, 14), c(300, 9000, 20, 90000)), function(t) {
  tp <- t[1]; fp <- t[2]; fn <- t[3]; tn <- t[4]; n <- sum(t)
  e <- epi.tests(as.table(matrix(t, 2, byrow = TRUE)), method = "wilson", conf.level = .95)$detail
  pick <- function(name) row3(e[e$statistic == name, ])
  sens <- wilson(tp, tp + fn); spec <- wilson(tn, tn + fp); J <- shift(mover(sens, spec), -1)
  ppv <- wilson(tp, tp + fp); npv <- wilson(tn, tn + fn); prev <- wilson(tp + fn, n)
  logged <- function(v) lapply(v, log)
  list(cells = t,
    epiR = list(sensitivity = pick("se"), specificity = pick("sp"), ppv = pick("pv.pos"), npv = pick("pv.neg"), accuracy = pick("diag.ac"),
      prevalence = pick("tp"), lrPositive = pick("lr.pos"), lrNegative = pick("lr.neg"), diagnosticOddsRatio = pick("diag.or")),
    exact = list(sensitivity = exact(tp, tp + fn), specificity = exact(tn, tn + fp), accuracy = exact(tp + tn, n)),
    other = list(youden = J, balancedAccuracy = scale(mover(sens, spec), .5), f1 = delta("f1", tp, fp, fn, tn), mcc = delta("mcc", tp, fp, fn, tn),
      kappa = delta("kappa", tp, fp, fn, tn), numberNeededToDiagnose = inverse(J),
      numberNeededToPredict = inverse(shift(mover(ppv, npv), -1)), nns = inverse(wilson(tp, n)),
      nnt = lapply(mover(logged(inverse(J)), logged(inverse(prev))), exp)),
    given = lapply(c(.01, .3), function(p) mercaldo(tp, fp, fn, tn, p)))
})
# Newcombe's own table of differences: 56/70 less 48/80 and so on (1998, Statistics in Medicine 17:873, method 10).
newcombe <- lapply(list(c(56, 14, 48, 32), c(9, 1, 3, 7), c(10, 0, 0, 10), c(5, 51, 0, 29)), function(t) {
  first <- wilson(t[1], t[1] + t[2]); second <- wilson(t[3], t[3] + t[4])
  list(cells = t, value = shift(mover(first, limits(1 - second$estimate, 1 - second$upper, 1 - second$lower)), -1))
})
# A zero cell: 0.5 to all four, likelihood ratios by the log method, odds ratio by Woolf's.
zero <- lapply(list(c(20, 5, 0, 40), c(20, 0, 4, 40), c(0, 6, 9, 30), c(12, 0, 0, 30)), function(t) {
  h <- t + .5; n1 <- h[1] + h[3]; n0 <- h[2] + h[4]; z <- qnorm(.975)
  by <- function(est, v) limits(est, exp(log(est) - z * sqrt(v)), exp(log(est) + z * sqrt(v)))
  list(cells = t, lrPositive = by((h[1] / n1) / (h[2] / n0), 1 / h[1] - 1 / n1 + 1 / h[2] - 1 / n0),
    lrNegative = by((h[3] / n1) / (h[4] / n0), 1 / h[3] - 1 / n1 + 1 / h[4] - 1 / n0),
    diagnosticOddsRatio = by(h[1] * h[4] / (h[2] * h[3]), sum(1 / h)))
})

# ---- areas ---------------------------------------------------------------------------------------------------------
data(aSAH)
area <- function(y, score, level = .95) {
  r <- roc(y, score, direction = "<", levels = c(0, 1), quiet = TRUE); ci <- as.numeric(ci.auc(r, conf.level = level, method = "delong"))
  a <- as.numeric(auc(r)); se <- sqrt(var(r, method = "delong")) / (a * (1 - a)); z <- qnorm((1 + level) / 2)
  list(level = level, plain = limits(a, ci[1], ci[3]), logit = limits(a, expit(logit(a) - z * se), expit(logit(a) + z * se)))
}
compare <- function(y, a, b) {
  ra <- roc(y, a, direction = "<", levels = c(0, 1), quiet = TRUE); rb <- roc(y, b, direction = "<", levels = c(0, 1), quiet = TRUE)
  t <- roc.test(ra, rb, method = "delong", paired = TRUE)
  list(z = as.numeric(t$statistic), pValue = t$p.value, difference = limits(as.numeric(auc(ra)) - as.numeric(auc(rb)), t$conf.int[1], t$conf.int[2]))
}
y <- as.integer(aSAH$outcome == "Poor"); wfns <- as.integer(aSAH$wfns)
asah <- list(y = y, s100b = aSAH$s100b, wfns = wfns, ndka = aSAH$ndka,
  areas = list(s100b = area(y, aSAH$s100b), wfns = area(y, wfns), ndka = area(y, aSAH$ndka, .9)),
  tests = list(wfnsS100b = compare(y, wfns, aSAH$s100b), s100bNdka = compare(y, aSAH$s100b, aSAH$ndka)))
# Weights k: pROC on rows that stand k times.
tied <- lapply(1:4, function(i) {
  n <- 60; yy <- rbinom(n, 1, .4); s <- rbinom(n, 6, .3 + .2 * yy) / 6; b <- rbinom(n, 8, .4 + .1 * yy) / 8; w <- rpois(n, 1.3)
  list(y = yy, a = s, b = b, weight = w, ones = area(yy, s), test = compare(yy, s, b), expanded = as.numeric(auc(roc(rep(yy, w), rep(s, w), direction = "<", levels = c(0, 1), quiet = TRUE))))
})

# ---- patients with several rows ------------------------------------------------------------------------------------
placementsOf <- function(y, s) {
  other <- function(i) if (y[i] == 1) mean((s[y == 0] < s[i]) + (s[y == 0] == s[i]) / 2) else mean((s[y == 1] > s[i]) + (s[y == 1] == s[i]) / 2)
  sapply(seq_along(y), other)
}
# Obuchowski 1997, Biometrics 53:567, equations as printed: S10, S01 and S11 of sums over clusters.
obuchowski <- function(y, s, g) {
  v <- placementsOf(y, s); theta <- mean(v[y == 1]); m <- sum(y == 1); n <- sum(y == 0)
  ids <- unique(g); d10 <- sapply(ids, function(i) sum((v - theta)[g == i & y == 1])); d01 <- sapply(ids, function(i) sum((v - theta)[g == i & y == 0]))
  i10 <- length(unique(g[y == 1])); i01 <- length(unique(g[y == 0])); i <- length(ids)
  s10 <- i10 / ((i10 - 1) * m) * sum(d10^2); s01 <- i01 / ((i01 - 1) * n) * sum(d01^2); s11 <- i / (i - 1) * sum(d10 * d01)
  list(auc = theta, variance = s10 / m + s01 / n + 2 * s11 / (m * n))
}
kish <- function(g) { rows <- as.numeric(table(g)); sum(rows)^2 / sum(rows^2) }
clustered <- function(patients, rows, weighted) {
  g <- rep(seq_len(patients), each = if (rows == 0) 1 else rows, times = if (rows == 0) 1 + rpois(patients, 3) else 1); n <- length(g)
  u <- rnorm(patients)[g]; y <- rbinom(n, 1, expit(-.4 + u)); for (i in unique(g)) if (sum(g == i) > 1) y[which(g == i)[1:2]] <- 0:1
  p <- round(expit(-.6 + 1.4 * y + .8 * u + rnorm(n)), 3); pred <- as.integer(p > .5)
  w <- if (weighted) sample(c(.5, 1, 2), n, TRUE) else rep(1, n)
  share <- function(hit, part) {
    d <- data.frame(hit = as.numeric(hit)[part], g = g[part], w = w[part]); fit <- lm(hit ~ 1, d, weights = w)
    v <- as.numeric(vcovCR(fit, cluster = d$g, type = "CR1")); est <- as.numeric(coef(fit)); df <- kish(d$g) - 1
    list(est = est, variance = v, df = df, value = symmetric(est, sqrt(v), qt(.975, df), onLogit))
  }
  parts <- list(sensitivity = share(pred == 1, y == 1), specificity = share(pred == 0, y == 0), ppv = share(y == 1, pred == 1),
    npv = share(y == 0, pred == 0), accuracy = share(y == pred, TRUE), prevalence = share(y == 1, TRUE))
  se <- parts$sensitivity; sp <- parts$specificity
  perPatient <- function(x) as.numeric(tapply(x, factor(g), sum))
  ifSe <- w * (y == 1) * (pred - se$est) / sum(w[y == 1]); ifSp <- w * (y == 0) * (1 - pred - sp$est) / sum(w[y == 0])
  rho <- sum(perPatient(ifSe) * perPatient(ifSp)) / sqrt(sum(perPatient(ifSe)^2) * sum(perPatient(ifSp)^2))
  # Every patient has both classes where all have the same number of rows: one stratum, df from the rows of all.
  byLog <- function(est, a, b) { v <- patients / (patients - 1) * sum(perPatient(a * ifSe + b * ifSp)^2); q <- qt(.975, kish(g) - 1)
    limits(est, exp(log(est) - q * sqrt(v)), exp(log(est) + q * sqrt(v))) }
  lg <- qlogis(p); base <- data.frame(y, lg, w)
  fit <- function(formula) { m <- suppressWarnings(glm(formula, binomial, base, weights = w, control = tight)); v <- vcovCR(m, cluster = g, type = "CR1"); k <- length(coef(m)); list(m = m, est = as.numeric(coef(m)[k]), se = sqrt(v[k, k])) }
  wald <- function(f) { q <- qt(.975, kish(g) - 1); limits(f$est, f$est - q * f$se, f$est + q * f$se) }
  out <- list(y = y, yPred = pred, yProba = p, groups = g, weight = if (weighted) w else NULL, proportions = lapply(parts, function(x) x$value), df = lapply(parts, function(x) x$df),
    youden = shift(mover(se$value, sp$value, rho), -1))
  if (rows > 1) out <- c(out, list(
    lrPositive = byLog(se$est / (1 - sp$est), 1 / se$est, 1 / (1 - sp$est)), lrNegative = byLog((1 - se$est) / sp$est, -1 / (1 - se$est), -1 / sp$est),
    diagnosticOddsRatio = byLog(se$est * sp$est / ((1 - se$est) * (1 - sp$est)), 1 / (se$est * (1 - se$est)), 1 / (sp$est * (1 - sp$est))),
    calibrationIntercept = wald(fit(y ~ 1 + offset(lg))), calibrationSlope = wald(fit(y ~ lg))))
  if (!weighted) {
    o <- obuchowski(y, p, g); out$obuchowski <- o
    if (rows > 1) out$rocAuc <- symmetric(o$auc, sqrt(o$variance), qt(.975, kish(g) - 1), onLogit)
  }
  out
}
patients <- list(clustered(40, 4, FALSE), clustered(25, 6, TRUE), clustered(45, 0, FALSE), clustered(45, 0, TRUE))

# ---- probabilities of independent rows -----------------------------------------------------------------------------
n <- 150; yy <- rbinom(n, 1, .35); pp <- round(expit(-1 + 1.6 * yy + rnorm(n)), 2); pp <- pmin(.99, pmax(.01, pp))
ap <- function(w) { pos <- which(yy == 1); sum(sapply(pos, function(i) w[i] * sum(w[yy == 1 & pp >= pp[i]]) / sum(w[pp >= pp[i]]))) / sum(w[pos]) }
ones <- rep(1, n); h <- 1e-4
ifAp <- sapply(seq_len(n), function(i) { up <- down <- ones; up[i] <- 1 + h; down[i] <- 1 - h; (ap(up) - ap(down)) / (2 * h) })
loss <- (pp - yy)^2
lg <- qlogis(pp)
waldOf <- function(m) { k <- length(coef(m)); ci <- matrix(confint.default(m), ncol = 2); limits(as.numeric(coef(m)[k]), ci[k, 1], ci[k, 2]) }
probabilities <- list(y = yy, yProba = pp, rocAuc = area(yy, pp)$plain,
  averagePrecision = symmetric(ap(ones), sqrt(n / (n - 1) * sum(ifAp^2)), qt(.975, n - 1), onLogit),
  brier = symmetric(mean(loss), sqrt(var(loss) / n), qt(.975, n - 1), onLogit),
  calibrationIntercept = waldOf(glm(yy ~ 1 + offset(lg), family = binomial, control = tight)), calibrationSlope = waldOf(glm(yy ~ lg, family = binomial, control = tight)))

exactLimits <- lapply(list(c(0, 20), c(1, 29), c(15, 148), c(81, 263), c(10, 10), c(9, 10)), function(t) c(t, unlist(exact(t[1], t[2])), unlist(wilson(t[1], t[2]))))
tails <- lapply(c(0, .01, .5, 1, 1.959963984540054, 2.99, 3, 3.01, 5, 8, 12, 30), function(z) c(z, pnorm(z, lower.tail = FALSE)))
versions <- lapply(c(pROC = "pROC", epiR = "epiR", clubSandwich = "clubSandwich"), function(p) as.character(packageVersion(p)))
versions$R <- paste(R.version$major, R.version$minor, sep = ".")
write(jsonlite::toJSON(list(versions = versions, tables = tables, newcombe = newcombe, zero = zero, asah = asah, tied = tied, patients = patients,
  probabilities = probabilities, exact = exactLimits, normalTail = tails), auto_unbox = TRUE, digits = NA, null = "null"), file.path(here, "clinical.json"))
